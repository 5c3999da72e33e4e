import type { z } from 'zod';

/** Copies a value with its declared fields only. */
type Copy = (value: never) => unknown;

/**
 * Copies the fields of a reply that its schema declares; anything else that a handler returns never leaves the core.
 * Values are not checked: their types are, when the core is compiled, and what the database holds, by the tests, which
 * check every reply that they receive (ADR 0085). Only parts that a schema transforms are parsed.
 * @throws `ZodError` for a value that such a part does not accept
 */
export function declaredFieldsOf(schema: z.ZodType): (reply: unknown) => unknown {
  const copy = copyOf(schema) as ((value: unknown) => unknown) | null;
  return copy ?? ((reply) => reply);
}

/** Null for values that are copied as they are. */
function copyOf(schema: z.core.$ZodType): Copy | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'unknown':
      return def.checks?.some(({ _zod }) => _zod.def.check === 'overwrite') ? parsed(schema) : null;
    case 'optional':
    case 'nullable':
      return mapped(def.innerType, (copy) => (value: unknown) => value && copy(value as never));
    case 'array':
      return mapped(def.element, (copy) => (values: unknown[]) => values.map((value) => copy(value as never)));
    case 'union':
      return def.options.every((option) => copyOf(option) === null) ? null : parsed(schema);
    case 'tuple':
      return def.items.every((item) => copyOf(item) === null) ? null : parsed(schema);
    case 'record':
      return mapped(
        def.valueType,
        (copy) => (values: Record<string, unknown>) =>
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, copy(value as never)])),
      );
    case 'object':
      return objectCopy(def.shape);
    default:
      return parsed(schema);
  }
}

function mapped(inner: z.core.$ZodType, make: (copy: Copy) => Copy): Copy | null {
  const copy = copyOf(inner);
  return copy && make(copy);
}

/** Unions of objects and parts with transformations are parsed whole. */
const parsed =
  (schema: z.core.$ZodType): Copy =>
  (value) =>
    (schema as z.ZodType).parse(value);

function objectCopy(shape: z.core.$ZodShape): Copy {
  // Found when they are first needed, because a schema can contain itself.
  let fields: [name: string, copy: Copy | null][] | undefined;
  return (value: Record<string, unknown>) => {
    fields ??= Object.entries(shape).map(([name, field]) => [name, copyOf(field)]);
    const result: Record<string, unknown> = {};
    for (const [name, copy] of fields) {
      const field = value[name];
      if (field !== undefined) result[name] = copy === null ? field : copy(field as never);
    }
    return result;
  };
}
