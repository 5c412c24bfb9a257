@NullMarked
package io.countersign;

import org.jspecify.annotations.NullMarked;
