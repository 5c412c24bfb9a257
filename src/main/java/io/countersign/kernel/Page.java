package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/**
 * One page of a listing.
 *
 * @param items newest first
 * @param next an opaque cursor for the following page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
    /** Rows of a page when the caller names no {@code limit}. */
    public static final int DEFAULT_LIMIT = 50;

    /** The most rows that a caller may ask for. */
    public static final int MAX_LIMIT = 200;

    public Page {
        items = List.copyOf(items);
    }

    /**
     * The {@code limit} parameter of a listing, or the default.
     *
     * @throws ProblemException 422 when it is not 1 to 200
     */
    public static int limit(@Nullable Integer asked) {
        if (asked == null) {
            return DEFAULT_LIMIT;
        }
        if (asked < 1 || asked > MAX_LIMIT) {
            throw ProblemException.invalid("?limit", "must be 1 to " + MAX_LIMIT);
        }
        return asked;
    }

    /**
     * Cuts what a query for {@code limit + 1} rows found to one page.
     *
     * @param found up to {@code limit + 1} rows, newest first
     * @param cursor the sort key of a row
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<? super T, Cursor> cursor) {
        if (found.size() <= limit) {
            return new Page<>(found, null);
        }
        List<T> items = found.subList(0, limit);
        return new Page<>(items, cursor.apply(items.getLast()).encode());
    }

    /** The same page with every row turned into something else. */
    public <R> Page<R> map(Function<? super T, ? extends R> mapper) {
        return new Page<>(items.stream().<R>map(mapper).toList(), next);
    }
}
