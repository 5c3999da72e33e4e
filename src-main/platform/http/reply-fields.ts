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
      return mapped(def.element, (copy) => (values: unknown[]) => copyElements(values, copy));
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

/** Returns the same array if no element has a field that is not declared. */
function copyElements(values: unknown[], copy: Copy): unknown[] {
  const copies = values.map((value) => copy(value as never));
  return copies.every((one, index) => one === values[index]) ? values : copies;
}

interface Declared {
  names: ReadonlySet<string>;
  /** The fields that hold objects. */
  copies: readonly (readonly [name: string, copy: Copy])[];
}

/** An object with declared fields only is returned as it is: most are, and copying one takes as long as sending it. */
function objectCopy(shape: z.core.$ZodShape): Copy {
  // Found when they are first needed, because a schema can contain itself.
  let declared: Declared | undefined;
  return (value: Record<string, unknown>) => {
    declared ??= declaredIn(shape);
    const picked = hasOnly(value, declared.names) ? value : pick(value, declared.names);
    return copyFields(picked, declared.copies, picked === value);
  };
}

function declaredIn(shape: z.core.$ZodShape): Declared {
  const copies = Object.entries(shape).flatMap(([name, field]) => {
    const copy = copyOf(field);
    return copy === null ? [] : [[name, copy] as const];
  });
  return { names: new Set(Object.keys(shape)), copies };
}

function hasOnly(value: Record<string, unknown>, names: Declared['names']): boolean {
  for (const name in value) if (!names.has(name)) return false;
  return true;
}

function pick(value: Record<string, unknown>, names: Declared['names']): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of names) if (value[name] !== undefined) result[name] = value[name];
  return result;
}

/** Copies the fields that hold objects; the object that holds them only if it belongs to the handler. */
function copyFields(
  value: Record<string, unknown>,
  copies: Declared['copies'],
  isOfHandler: boolean,
): Record<string, unknown> {
  let result = value;
  for (const [name, copy] of copies) {
    const field = value[name];
    if (field === undefined) continue;
    const copied = copy(field as never);
    if (copied === field) continue;
    if (isOfHandler && result === value) result = { ...value };
    result[name] = copied;
  }
  return result;
}
