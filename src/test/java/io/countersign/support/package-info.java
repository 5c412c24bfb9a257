/** What integration tests share: one Postgres switch, one annotation, one HTTP client. */
@NullMarked
package io.countersign.support;

import org.jspecify.annotations.NullMarked;
