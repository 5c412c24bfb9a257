package io.countersign.kernel;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * Canonical JSON (RFC 8785), so that one document has one digest. What different parsers read
 * differently has no canonical form here and is refused: numbers beyond 2^53-1, lone surrogates,
 * and nesting over 100.
 */
public final class CanonicalJson {
    private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf((1L << 53) - 1);
    private static final int MAX_NESTING = 100;

    private final StringBuilder out = new StringBuilder();

    private CanonicalJson() {}

    /**
     * The canonical form in UTF-8.
     *
     * @throws ProblemException 422 {@link ProblemCode#CANONICAL_JSON} that names the member
     */
    public static byte[] bytes(JsonNode node) {
        CanonicalJson json = new CanonicalJson();
        json.write(node, "", 0);
        return json.out.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The digest of the canonical form.
     *
     * @throws ProblemException 422 {@link ProblemCode#CANONICAL_JSON} that names the member
     */
    public static Sha256 sha256(JsonNode node) {
        return Sha256.of(bytes(node));
    }

    private void write(JsonNode node, String pointer, int depth) {
        if (depth == MAX_NESTING && node.isContainer()) {
            throw refused(shortened(pointer), "nesting is deeper than " + MAX_NESTING);
        }
        switch (node.getNodeType()) {
            case OBJECT -> writeObject(node, pointer, depth);
            case ARRAY -> writeArray(node, pointer, depth);
            case STRING -> writeString(node.stringValue(), pointer);
            case NUMBER -> writeNumber(node, pointer);
            case BOOLEAN -> out.append(node.booleanValue());
            case NULL -> out.append("null");
            case BINARY, MISSING, POJO -> throw refused(pointer, "is no JSON value");
        }
    }

    private void writeObject(JsonNode node, String pointer, int depth) {
        List<String> names = new ArrayList<>(node.propertyNames());
        // By UTF-16 units, as the RFC sorts them: this is String's own order.
        Collections.sort(names);
        out.append('{');
        String comma = "";
        for (String name : names) {
            String member = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
            out.append(comma);
            writeString(name, member);
            out.append(':');
            write(node.get(name), member, depth + 1);
            comma = ",";
        }
        out.append('}');
    }

    private void writeArray(JsonNode node, String pointer, int depth) {
        out.append('[');
        for (int i = 0; i < node.size(); i++) {
            out.append(i == 0 ? "" : ",");
            write(node.get(i), pointer + "/" + i, depth + 1);
        }
        out.append(']');
    }

    private void writeNumber(JsonNode node, String pointer) {
        double value = node.doubleValue();
        if (!Double.isFinite(value) || node.decimalValue().abs().compareTo(MAX_NUMBER) > 0) {
            throw refused(pointer, "is a number beyond 2^53-1");
        }
        out.append(EcmaNumber.format(value));
    }

    private void writeString(String text, String pointer) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                throw refused(pointer, "holds a lone surrogate");
            } else {
                writeCharacter(c);
            }
        }
        out.append('"');
    }

    private void writeCharacter(char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default -> {
                if (c < ' ') {
                    out.append("\\u").append(HexFormat.of().toHexDigits(c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    private static ProblemException refused(String pointer, String message) {
        return ProblemException.invalid(ProblemCode.CANONICAL_JSON, pointer, message);
    }

    private static String shortened(String pointer) {
        return pointer.length() <= 100 ? pointer : pointer.substring(0, 100) + "...";
    }
}
