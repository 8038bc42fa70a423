// The types that schemas have, written out: `ZodMiniObject<{ id: ZodMiniString<string> }>` is `{ id: string }`.

const members = (node) => node.members.map((member) => [member.key, member.typeAnnotation.typeAnnotation])
const elements = (node) => (node.type === 'TSTypeOperator' ? node.typeAnnotation : node).elementTypes

/** A union, where it is a part of another type. */
export const inParentheses = (type) =>
  type.includes(' | ') && !/^(?:\{.*\}|Record<.*>)$/.test(type) ? `(${type})` : type

/**
 * The type of what a schema reads, as text.
 * @param schema the node of the schema's own type
 * @param textOf the text of any other type
 * @throws Error if the schema is of a kind that has no rule here
 */
export function plainType(schema, textOf) {
  const plain = (node) => plainType(node, textOf)
  const kind = schema.typeName?.right?.name
  const of = schema.typeArguments?.params ?? []
  const union = (types) => [...new Set(types)].join(' | ')
  switch (kind) {
    case 'ZodMiniString':
      return 'string'
    case 'ZodMiniInt':
    case 'ZodMiniNumber':
      return 'number'
    case 'ZodMiniBoolean':
      return 'boolean'
    case 'ZodMiniUnknown':
      return 'unknown'
    case 'ZodMiniLiteral':
    case 'ZodMiniType':
      return textOf(of[0])
    case 'ZodMiniEnum':
      return union(members(of[0]).map(([, value]) => textOf(value)))
    case 'ZodMiniNullable':
      return union([plain(of[0]), 'null'])
    case 'ZodMiniOptional':
      return union([plain(of[0]), 'undefined'])
    case 'ZodMiniArray':
      return `${inParentheses(plain(of[0]))}[]`
    case 'ZodMiniRecord':
      return `Record<${plain(of[0])}, ${plain(of[1])}>`
    case 'ZodMiniUnion':
    case 'ZodMiniDiscriminatedUnion':
      return union(elements(of[0]).map(plain))
    case 'ZodMiniTuple': {
      const rest = of[1] && of[1].type !== 'TSNullKeyword' ? [`...${plain(of[1])}[]`] : []
      return `[${[...elements(of[0]).map(plain), ...rest].join(', ')}]`
    }
    case 'ZodMiniObject': {
      const fields = members(of[0]).map(([key, value]) => {
        const mark = value.typeName?.right?.name === 'ZodMiniOptional' ? '?' : ''
        return `${key.name ?? key.raw}${mark}: ${plain(value)}`
      })
      return `{ ${fields.join('; ')} }`
    }
    default:
      throw new Error(`no rule for the schema ${textOf(schema)}`)
  }
}
