package io.countersign.kernel;

import java.util.UUID;

/** Where new ids come from: UUIDv7 (RFC 9562), so that they sort by time of creation. */
public interface Ids {
    /** A fresh UUIDv7, greater than every earlier one of this process. */
    UUID next();
}
