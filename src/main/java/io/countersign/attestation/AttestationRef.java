package io.countersign.attestation;

import io.countersign.kernel.Sha256;

import java.util.UUID;

/**
 * Names the signed summary of a verdict.
 *
 * @param statementSha256 digest of the signed statement
 * @param keyId the key that signed it
 */
public record AttestationRef(UUID id, Sha256 statementSha256, String keyId) {}
