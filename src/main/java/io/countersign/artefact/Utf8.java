package io.countersign.artefact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** UTF-8 without replacement characters: what cannot be coded is refused. */
final class Utf8 {
    private Utf8() {}

    /**
     * @throws IOException when the bytes are not UTF-8
     */
    static String decode(byte[] bytes, int offset, int length) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, offset, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BrokenArchiveException("a name is not UTF-8");
        }
    }

    /**
     * @throws CharacterCodingException when the text has a lone surrogate
     */
    static byte[] encode(String text) throws CharacterCodingException {
        ByteBuffer encoded =
                StandardCharsets.UTF_8
                        .newEncoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }
}
