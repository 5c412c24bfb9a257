/**
 * The service's door: how JSON is read, how every failure becomes problem details, the request id.
 */
@NullMarked
package io.countersign.kernel.web;

import org.jspecify.annotations.NullMarked;
