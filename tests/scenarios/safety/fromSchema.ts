import fc from 'fast-check'
import * as z from 'zod/mini'

type Json = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  minItems?: number
}

/** Values of a named field that a schema alone would rarely produce, such as existing ids; null leaves the field to the schema. */
export type KnownValues = (field: string) => fc.Arbitrary<unknown> | null

const maxTextLength = 40

/** Generates values that a schema of the contract accepts as input: its shape, patterns and bounds. */
export function fromSchema(schema: z.ZodMiniType, known: KnownValues): fc.Arbitrary<unknown> {
  return fromJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, '', known)
}

function fromJson(json: Json, field: string, known: KnownValues): fc.Arbitrary<unknown> {
  const own = known(field)
  const shape = shapeOf(json, field, known)
  return own && json.properties === undefined
    ? fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: shape })
    : shape
}

function shapeOf(json: Json, field: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (json.const !== undefined) return fc.constant(json.const)
  if (json.enum) return fc.constantFrom(...json.enum)
  const either = json.anyOf ?? json.oneOf
  if (either) return fc.oneof(...either.map((one) => fromJson(one, field, known)))
  if (json.type === 'object') return objectOf(json, known)
  if (json.type === 'array') return arrayOf(json, field, known)
  if (json.type === 'boolean') return fc.boolean()
  if (json.type === 'null') return fc.constant(null)
  if (json.type === 'integer' || json.type === 'number') return wholeOf(json)
  return textOf(json)
}

function objectOf({ properties = {}, required = [] }: Json, known: KnownValues): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, fromJson(inner, name, known)]),
  )
  return fc.record(model, { requiredKeys: required, noNullPrototype: true })
}

function arrayOf(
  { items = {}, minItems = 0 }: Json,
  field: string,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  return fc.array(fromJson(items, field, known), { minLength: minItems, maxLength: minItems + 3 })
}

function wholeOf({ minimum, exclusiveMinimum, maximum }: Json): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? exclusiveMinimum ?? 0, Number.MIN_SAFE_INTEGER)
  const max = Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return fc
    .oneof(fc.integer({ min, max: Math.min(max, min + 1000) }), fc.maxSafeInteger())
    .map((value) => Math.min(max, Math.max(min, value)))
}

function textOf(json: Json): fc.Arbitrary<string> {
  const pattern = json.pattern ?? json.allOf?.find((one) => one.pattern !== undefined)?.pattern
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' })
  const minLength = json.minLength ?? 0
  return fc.string({
    minLength,
    maxLength: Math.max(minLength, Math.min(json.maxLength ?? maxTextLength, maxTextLength)),
    unit: 'grapheme',
  })
}
