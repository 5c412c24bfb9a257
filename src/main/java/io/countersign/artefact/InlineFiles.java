package io.countersign.artefact;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.NavigableMap;

/**
 * The files of a request as one blob: for each, in the order of their paths, the length and bytes
 * of its path and the length and bytes of its content. Same files, same bytes, same digest.
 */
final class InlineFiles implements ArchiveReader {
    private final DataInputStream in;
    private EntryContent content;

    InlineFiles(InputStream in) {
        this.in = new DataInputStream(in);
        this.content = new EntryContent(in, 0);
    }

    /**
     * Reads one value of {@code files}: a text, or {@code {"base64": "..."}}.
     *
     * @throws ProblemException 422 that names {@code pointer}
     */
    static byte[] content(String pointer, JsonNode value) {
        try {
            if (value.isString()) {
                return Utf8.encode(value.stringValue());
            }
            if (value.isObject() && value.size() == 1 && value.path("base64").isString()) {
                return Base64.getDecoder().decode(value.path("base64").stringValue());
            }
        } catch (CharacterCodingException e) {
            throw ProblemException.invalid(
                    pointer, "the text has a lone surrogate; send the bytes as base64");
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(
                    pointer + "/base64", "is not base64 (RFC 4648, with +/)");
        }
        throw ProblemException.invalid(pointer, "must be a text or {\"base64\": \"...\"}");
    }

    static byte[] write(NavigableMap<WorkspacePath, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (var file : files.entrySet()) {
                byte[] path = file.getKey().value().getBytes(StandardCharsets.UTF_8);
                out.writeInt(path.length);
                out.write(path);
                out.writeInt(file.getValue().length);
                out.write(file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    @Override
    public @Nullable ArchiveEntry next() throws IOException {
        content.finish();
        byte[] length = in.readNBytes(Integer.BYTES);
        if (length.length == 0) {
            return null;
        }
        if (length.length < Integer.BYTES) {
            throw new EOFException();
        }
        byte[] path = in.readNBytes(ByteBuffer.wrap(length).getInt());
        String name = Utf8.decode(path, 0, path.length);
        content = new EntryContent(in, in.readInt());
        return new ArchiveEntry.RegularFile(name, FILE_MODE);
    }

    @Override
    public InputStream content() {
        return content;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
