package io.countersign.check;

/** JSON pointers (RFC 6901) for reasons. */
final class JsonPointers {
    private JsonPointers() {}

    static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    /** The pointer as it is shown: the empty one means the whole document. */
    static String shown(String pointer) {
        return pointer.isEmpty() ? "the document" : pointer;
    }
}
