package io.countersign.artefact;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.List;

/**
 * Proves that a zip archive reads the same from either end: its entries fill the file without a
 * gap, an overlap or a byte before or behind them, and each says in front of its content what the
 * directory says of it. Archives that hide entries or overlap them (the densest bombs) fail here.
 */
final class ZipLayout {
    private static final int END = 0x06054b50;
    private static final int END_64 = 0x06064b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int LOCAL = 0x04034b50;
    private static final int DESCRIPTOR = 0x08074b50;
    private static final int END_LENGTH = 22;
    private static final int LOCATOR_LENGTH = 20;
    private static final int END_64_LENGTH = 56;
    private static final int CENTRAL_LENGTH = 46;
    private static final int LOCAL_LENGTH = 30;
    private static final long UNKNOWN = 0xffff_ffffL;

    private final FileChannel zip;
    private final long directory;

    private ZipLayout(FileChannel zip, long directory) {
        this.zip = zip;
        this.directory = directory;
    }

    private record Directory(long offset, long size, long entries, long end) {}

    /**
     * Finds the directory and counts its entries, before a library reads all of them into memory.
     *
     * @throws IOException when the archive is broken, cut off or has bytes that belong to nothing
     */
    static ZipLayout of(FileChannel zip, ArchiveLimits limits) throws IOException {
        long end = findEnd(zip);
        Directory directory = directory(zip, end);
        if (directory.offset() + directory.size() != directory.end()) {
            throw new BrokenArchiveException(
                    "its directory does not end where its end record begins");
        }
        long entries = 0;
        long at = directory.offset();
        while (at < directory.end()) {
            ByteBuffer header = read(zip, at, CENTRAL_LENGTH);
            if (header.getInt(0) != CENTRAL) {
                throw new BrokenArchiveException("its directory is broken");
            }
            at += CENTRAL_LENGTH + u16(header, 28) + u16(header, 30) + u16(header, 32);
            if (++entries > limits.entries()) {
                throw ArchiveRules.tooManyEntries(limits);
            }
        }
        if (at != directory.end() || entries != directory.entries()) {
            throw new BrokenArchiveException(
                    "its directory has another length than its end record says");
        }
        return new ZipLayout(zip, directory.offset());
    }

    private static long findEnd(FileChannel zip) throws IOException {
        long size = zip.size();
        int length = (int) Math.min(size, END_LENGTH + 0xffff);
        ByteBuffer tail = read(zip, size - length, length);
        for (int at = length - END_LENGTH; at >= 0; at--) {
            if (tail.getInt(at) == END) {
                if (at + END_LENGTH + u16(tail, at + 20) != length) {
                    throw new BrokenArchiveException("there are bytes behind its end record");
                }
                return size - length + at;
            }
        }
        throw new BrokenArchiveException("its end record is missing");
    }

    private static Directory directory(FileChannel zip, long end) throws IOException {
        ByteBuffer record = read(zip, end, END_LENGTH);
        if (end >= LOCATOR_LENGTH) {
            ByteBuffer locator = read(zip, end - LOCATOR_LENGTH, LOCATOR_LENGTH);
            if (locator.getInt(0) == LOCATOR_64) {
                return directory64(zip, end - LOCATOR_LENGTH, locator);
            }
        }
        if (u16(record, 4) != 0 || u16(record, 6) != 0 || u16(record, 8) != u16(record, 10)) {
            throw new BrokenArchiveException("it is one part of several");
        }
        return new Directory(u32(record, 16), u32(record, 12), u16(record, 10), end);
    }

    private static Directory directory64(FileChannel zip, long locatorAt, ByteBuffer locator)
            throws IOException {
        long at = locator.getLong(8);
        if (locator.getInt(4) != 0 || locator.getInt(16) > 1) {
            throw new BrokenArchiveException("it is one part of several");
        }
        if (at < 0 || at + END_64_LENGTH > locatorAt) {
            throw new BrokenArchiveException("its end record is broken");
        }
        ByteBuffer record = read(zip, at, END_64_LENGTH);
        if (record.getInt(0) != END_64 || at + 12 + record.getLong(4) != locatorAt) {
            throw new BrokenArchiveException("its end record is broken");
        }
        return new Directory(record.getLong(48), record.getLong(40), record.getLong(32), at);
    }

    /**
     * Checks every entry in front of its content.
     *
     * @param entries in the order of their headers in the file
     */
    void check(List<ZipArchiveEntry> entries) throws IOException {
        long at = 0;
        boolean descriptor = false;
        for (ZipArchiveEntry entry : entries) {
            expectStart(at, entry.getLocalHeaderOffset(), descriptor);
            ByteBuffer header = read(zip, entry.getLocalHeaderOffset(), LOCAL_LENGTH);
            expectSame(entry, header);
            at = entry.getDataOffset() + entry.getCompressedSize();
            descriptor = (u16(header, 6) & 8) != 0;
        }
        expectStart(at, directory, descriptor);
    }

    private void expectSame(ZipArchiveEntry entry, ByteBuffer header) throws IOException {
        int nameLength = u16(header, 26);
        long dataAt = entry.getLocalHeaderOffset() + LOCAL_LENGTH + nameLength + u16(header, 28);
        boolean same = header.getInt(0) == LOCAL && entry.getDataOffset() == dataAt;
        same = same && u16(header, 8) == entry.getMethod();
        boolean sized = (u16(header, 6) & 8) == 0 && u32(header, 18) != UNKNOWN;
        same = same && (!sized || u32(header, 18) == entry.getCompressedSize());
        if (same) {
            ByteBuffer name = read(zip, entry.getLocalHeaderOffset() + LOCAL_LENGTH, nameLength);
            same = Arrays.equals(name.array(), entry.getRawName());
        }
        if (!same) {
            throw Refusals.unsafe(
                    entry.getName(),
                    "is described in two ways, in front of it and in the directory");
        }
    }

    /** What follows an entry begins right behind it, or behind its data descriptor. */
    private void expectStart(long end, long next, boolean descriptor) throws IOException {
        long gap = next - end;
        boolean fits =
                descriptor
                        ? switch ((int) Math.clamp(gap, -1, 100)) {
                            case 12, 20 -> true;
                            case 16, 24 -> read(zip, end, 4).getInt(0) == DESCRIPTOR;
                            default -> false;
                        }
                        : gap == 0;
        if (!fits) {
            throw new BrokenArchiveException(
                    gap < 0 ? "its entries overlap" : "it has bytes that belong to no entry");
        }
    }

    private static ByteBuffer read(FileChannel zip, long at, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (at < 0 || zip.read(buffer, at + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        return buffer.flip();
    }

    private static int u16(ByteBuffer buffer, int at) {
        return buffer.getShort(at) & 0xffff;
    }

    private static long u32(ByteBuffer buffer, int at) {
        return buffer.getInt(at) & 0xffff_ffffL;
    }
}
