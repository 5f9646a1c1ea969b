package asercheck.confirm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The constants of a class file (The Java Virtual Machine Specification, section 4.4). Constants are only added, so
 * that all indices of the file stay valid.
 */
final class ConstantPool {
    static final int TYPE = 7;
    private static final int TEXT = 1;
    private static final int MAX_COUNT = 65_535;

    private final byte[] file;
    /** The place of each constant after its tag. */
    private final int[] places;
    private final int oldCount;
    /** The place after the last constant. */
    final int end;
    private int count;
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(added);
    private final Map<String, Integer> known = new HashMap<>();

    ConstantPool(byte[] file) {
        this.file = file;
        oldCount = u2(8);
        count = oldCount;
        places = new int[oldCount];
        int place = 10;
        for (int i = 1; i < oldCount; i++) {
            int tag = file[place] & 0xff;
            places[i] = place + 1;
            place += 1 + size(tag, place + 1);
            if (tag == 5 || tag == 6) {
                i++;
            }
        }
        end = place;
    }

    private int size(int tag, int place) {
        switch (tag) {
            case 1:
                return 2 + u2(place);
            case 5:
            case 6:
                return 8;
            case 7:
            case 8:
            case 16:
            case 19:
            case 20:
                return 2;
            case 15:
                return 3;
            default:
                return 4;
        }
    }

    private int u2(int place) {
        return (file[place] & 0xff) << 8 | file[place + 1] & 0xff;
    }

    /** Returns the text of a constant of the file. */
    String text(int index) {
        int place = places[index];
        int length = u2(place);
        for (int i = 0; i < length; i++) {
            if (file[place + 2 + i] < 0) {
                return modified(place);
            }
        }
        return new String(file, place + 2, length, StandardCharsets.ISO_8859_1);
    }

    private String modified(int place) {
        try {
            int length = 2 + u2(place);
            return new java.io.DataInputStream(new java.io.ByteArrayInputStream(file, place, length)).readUTF();
        } catch (IOException damaged) {
            return "?";
        }
    }

    /** Returns the name of a class. */
    String type(int index) {
        return index == 0 ? "" : text(u2(places[index]));
    }

    /** Returns the name of the class that declares a field or method. */
    String owner(int index) {
        return type(u2(places[index]));
    }

    String name(int index) {
        return text(u2(places[u2(places[index] + 2)]));
    }

    String descriptor(int index) {
        return text(u2(places[u2(places[index] + 2)] + 2));
    }

    /** Returns the names of all classes in the file, also those of arrays. */
    Iterable<String> types() {
        java.util.List<String> names = new java.util.ArrayList<>();
        for (int i = 1; i < oldCount; i++) {
            if (places[i] > 0 && file[places[i] - 1] == TYPE) {
                names.add(type(i));
            }
        }
        return names;
    }

    /** Whether the file has a text. */
    boolean has(String text) {
        for (int i = 1; i < oldCount; i++) {
            if (places[i] > 0 && file[places[i] - 1] == TEXT && text(i).equals(text)) {
                return true;
            }
        }
        return false;
    }

    int utf8(String text) {
        return add("1 " + text, () -> {
            out.writeByte(1);
            out.writeUTF(text);
        });
    }

    int addType(String name) {
        int text = utf8(name);
        return add("7 " + name, () -> {
            out.writeByte(TYPE);
            out.writeShort(text);
        });
    }

    int number(int value) {
        return add("3 " + value, () -> {
            out.writeByte(3);
            out.writeInt(value);
        });
    }

    int method(String owner, String name, String descriptor) {
        int type = addType(owner);
        int nameText = utf8(name);
        int descriptorText = utf8(descriptor);
        int pair = add("12 " + name + descriptor, () -> {
            out.writeByte(12);
            out.writeShort(nameText);
            out.writeShort(descriptorText);
        });
        return add("10 " + owner + " " + name + descriptor, () -> {
            out.writeByte(10);
            out.writeShort(type);
            out.writeShort(pair);
        });
    }

    private interface Writer {
        void write() throws IOException;
    }

    private int add(String key, Writer writer) {
        Integer old = known.get(key);
        if (old != null) {
            return old;
        }
        if (count >= MAX_COUNT) {
            throw new TooLarge("constants");
        }
        try {
            writer.write();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        known.put(key, count);
        return count++;
    }

    /** Writes the count and all constants. */
    void write(ByteArrayOutputStream to) {
        to.write(count >> 8);
        to.write(count);
        to.write(file, 10, end - 10);
        to.write(added.toByteArray(), 0, added.size());
    }

    /** A limit of class files is exceeded, so the class or method is left as it is. */
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLarge(String what) {
            super(what, null, false, false);
        }
    }
}
