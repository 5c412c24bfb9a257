package io.countersign.check;

import tools.jackson.databind.JsonNode;

import java.util.Set;

/**
 * Tells JSON Schema from a shape by example. Where both could be meant it is a shape, which demands
 * more: a schema that is misread as one fails, an example misread as a schema might pass anything.
 */
final class SchemaKind {
    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "number", "integer", "boolean", "null");

    private static final Set<String> KEYWORDS =
            Set.of(
                    "$ref",
                    "$defs",
                    "$comment",
                    "type",
                    "properties",
                    "patternProperties",
                    "additionalProperties",
                    "propertyNames",
                    "required",
                    "items",
                    "prefixItems",
                    "contains",
                    "enum",
                    "const",
                    "allOf",
                    "anyOf",
                    "oneOf",
                    "not",
                    "if",
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                    "minLength",
                    "maxLength",
                    "pattern",
                    "format",
                    "minItems",
                    "maxItems",
                    "uniqueItems",
                    "minProperties",
                    "maxProperties",
                    "title",
                    "description",
                    "default",
                    "examples");

    private SchemaKind() {}

    /** Whether a keyword stands in it that is used as one. */
    static boolean isJsonSchema(JsonNode schema) {
        if (!schema.isObject()) return false;
        return schema.has("$schema")
                || isType(schema.path("type"))
                || isText(schema.path("$ref"))
                || isTextList(schema.path("required"))
                || areSchemas(schema.path("properties"))
                || isSchema(schema.path("items"))
                || isSchemaList(schema.path("allOf"))
                || isSchemaList(schema.path("anyOf"))
                || isSchemaList(schema.path("oneOf"))
                || schema.path("enum").isArray()
                || schema.has("const");
    }

    private static boolean isType(JsonNode type) {
        if (type.isString()) return TYPES.contains(type.asString());
        return isTextList(type) && type.valueStream().allMatch(SchemaKind::isType);
    }

    private static boolean isText(JsonNode node) {
        return node.isString();
    }

    private static boolean isTextList(JsonNode node) {
        return node.isArray() && !node.isEmpty() && node.valueStream().allMatch(JsonNode::isString);
    }

    private static boolean areSchemas(JsonNode properties) {
        return properties.isObject()
                && !properties.isEmpty()
                && properties.valueStream().allMatch(node -> node.isBoolean() || isSchema(node));
    }

    private static boolean isSchemaList(JsonNode list) {
        return list.isArray()
                && !list.isEmpty()
                && list.valueStream().allMatch(node -> node.isBoolean() || isSchema(node));
    }

    private static boolean isSchema(JsonNode node) {
        return node.isObject()
                && (node.isEmpty() || node.propertyStream().anyMatch(SchemaKind::isKeyword));
    }

    private static boolean isKeyword(java.util.Map.Entry<String, JsonNode> member) {
        return KEYWORDS.contains(member.getKey());
    }
}
