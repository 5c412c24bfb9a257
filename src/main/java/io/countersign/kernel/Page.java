package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One page of a listing.
 *
 * @param items newest first
 * @param next an opaque cursor for the following page; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }
}
