package io.countersign.artefact;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * A strict reader of tar: v7, ustar, GNU long names and pax. Libraries read on where two readers
 * could disagree about what an archive holds (bytes after its end, a name given twice, a missing
 * end); this one refuses.
 */
final class TarReader implements ArchiveReader {
    private static final int MAX_EXTENSION = 1 << 20;

    private final InputStream tar;
    private EntryContent content;
    private int padding;
    private boolean ended;

    TarReader(InputStream tar) {
        this.tar = tar;
        this.content = new EntryContent(tar, 0);
    }

    /** What the headers before an entry's own one say about it. */
    private static final class Extensions {
        private @Nullable String name;
        private @Nullable String target;
        private @Nullable Long size;
        private boolean any;

        void name(String value) throws IOException {
            if (name != null) {
                throw new BrokenArchiveException("an entry has two long names");
            }
            name = value;
            any = true;
        }

        void target(String value) throws IOException {
            if (target != null) {
                throw new BrokenArchiveException("an entry has two long link targets");
            }
            target = value;
            any = true;
        }
    }

    @Override
    public @Nullable ArchiveEntry next() throws IOException {
        if (ended) {
            return null;
        }
        Extensions extensions = new Extensions();
        while (true) {
            skipContent();
            TarHeader header = header();
            if (header == null) {
                if (extensions.any) {
                    throw new BrokenArchiveException("an entry is missing behind its long name");
                }
                expectNothingMore();
                return null;
            }
            switch (header.type()) {
                case 'L' -> extensions.name(longName(header));
                case 'K' -> extensions.target(longName(header));
                case 'x' -> pax(extensions, Pax.read(extension(header)));
                case 'g' -> global(Pax.read(extension(header)));
                default -> {
                    return entry(header, extensions);
                }
            }
        }
    }

    private ArchiveEntry entry(TarHeader header, Extensions more) throws IOException {
        String name = more.name != null ? more.name : header.name();
        String target = more.target != null ? more.target : header.target();
        long size = more.size != null ? more.size : header.size();
        boolean file = isRegular(header.type()) && !name.endsWith("/");
        if (size > 0 && !file) {
            throw Refusals.unsafe(name, "has content although it is no regular file");
        }
        begin(size);
        return switch (header.type()) {
            case '0', '\0', '7' ->
                    file
                            ? new ArchiveEntry.RegularFile(name, header.mode())
                            : new ArchiveEntry.Directory(name, header.mode());
            case '1' -> new ArchiveEntry.HardLink(name, target);
            case '2' -> new ArchiveEntry.Symlink(name, target);
            case '3', '4' -> throw Refusals.unsafe(name, "is a device file");
            case '5' -> new ArchiveEntry.Directory(name, header.mode());
            case '6' -> throw Refusals.unsafe(name, "is a named pipe");
            case 'S' -> throw Refusals.unsafe(name, "is a sparse file; pack it without --sparse");
            default ->
                    throw Refusals.unsafe(
                            name,
                            "is of the tar type "
                                    + Shown.text(String.valueOf(header.type()))
                                    + ", which is not supported");
        };
    }

    private static boolean isRegular(char type) {
        return type == '0' || type == '\0' || type == '7';
    }

    private void pax(Extensions extensions, Map<String, String> records) throws IOException {
        for (Map.Entry<String, String> record : records.entrySet()) {
            switch (record.getKey()) {
                case "path" -> extensions.name(record.getValue());
                case "linkpath" -> extensions.target(record.getValue());
                case "size" -> extensions.size = Pax.size(record.getValue());
                default -> {
                    if (record.getKey().startsWith("GNU.sparse.")) {
                        throw new BrokenArchiveException(
                                "it has sparse files; pack it without --sparse");
                    }
                }
            }
        }
        extensions.any = true;
    }

    private static void global(Map<String, String> records) throws IOException {
        for (String key : records.keySet()) {
            if (key.equals("path") || key.equals("linkpath") || key.equals("size")) {
                throw new BrokenArchiveException(
                        "a global header sets the " + key + " of every entry");
            }
        }
    }

    private String longName(TarHeader header) throws IOException {
        byte[] name = extension(header);
        int length = name.length;
        if (length > 0 && name[length - 1] == 0) {
            length--;
        }
        return Utf8.decode(name, 0, length);
    }

    private byte[] extension(TarHeader header) throws IOException {
        if (header.size() > MAX_EXTENSION) {
            throw new BrokenArchiveException("an extended header is larger than 1 MiB");
        }
        begin(header.size());
        return content.readAllBytes();
    }

    private void begin(long size) {
        content = new EntryContent(tar, size);
        padding = (int) (-size & (TarHeader.BLOCK - 1));
    }

    private @Nullable TarHeader header() throws IOException {
        byte[] block = tar.readNBytes(TarHeader.BLOCK);
        if (block.length < TarHeader.BLOCK) {
            throw new BrokenArchiveException("its end mark is missing");
        }
        return isZero(block, block.length) ? null : TarHeader.parse(block);
    }

    /** The end mark is one block of zeros or more, and nothing but zeros follows. */
    private void expectNothingMore() throws IOException {
        ended = true;
        byte[] buffer = new byte[8192];
        for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
            if (!isZero(buffer, n)) {
                throw new BrokenArchiveException("there are bytes behind its end mark");
            }
        }
    }

    private static boolean isZero(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private void skipContent() throws IOException {
        content.finish();
        tar.skipNBytes(padding);
        padding = 0;
    }

    @Override
    public InputStream content() {
        return content;
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}
