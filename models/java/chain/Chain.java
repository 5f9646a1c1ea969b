package chain;

/** A chain of thirty methods that read a static field of another class. */
final class Chain {
    private Chain() {}

    static void link0() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link1();
    }

    static void link1() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link2();
    }

    static void link2() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link3();
    }

    static void link3() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link4();
    }

    static void link4() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link5();
    }

    static void link5() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link6();
    }

    static void link6() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link7();
    }

    static void link7() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link8();
    }

    static void link8() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link9();
    }

    static void link9() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link10();
    }

    static void link10() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link11();
    }

    static void link11() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link12();
    }

    static void link12() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link13();
    }

    static void link13() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link14();
    }

    static void link14() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link15();
    }

    static void link15() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link16();
    }

    static void link16() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link17();
    }

    static void link17() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link18();
    }

    static void link18() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link19();
    }

    static void link19() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link20();
    }

    static void link20() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link21();
    }

    static void link21() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link22();
    }

    static void link22() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link23();
    }

    static void link23() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link24();
    }

    static void link24() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link25();
    }

    static void link25() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link26();
    }

    static void link26() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link27();
    }

    static void link27() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link28();
    }

    static void link28() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
        link29();
    }

    static void link29() {
        int read = Other.a;
        read = Other.a;
        read = Other.a;
        read = Other.a;
    }
}
