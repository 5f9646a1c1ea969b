/** Factory methods for a client. */
class Words {
    static objects.NeedsUser object() {
        return objects.NeedsUser.open("secret", "terces");
    }

    static objects.NeedsUserRepaired repaired() {
        return objects.NeedsUserRepaired.open("secret", "terces");
    }
}
