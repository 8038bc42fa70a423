/** How a build of ICU formats an instant: the order of the parts, the separator, and how numbers look. */
export type Spelling = {
  name: string
  order: 'unchanged' | 'year first' | 'month first' | 'day first'
  separator: string
  /** Whether a number below ten is respelled with its leading zero. */
  padded: boolean
  /** The first hour of a day as engines with the h24 defect write it. */
  midnight?: '24'
}

/** Spellings of engines in use, and one that no engine has. */
export const spellings: readonly Spelling[] = [
  { name: 'this engine', order: 'unchanged', separator: '', padded: true },
  { name: 'ICU 71 and 73: 2026-11-22', order: 'year first', separator: '-', padded: true },
  { name: 'ICU 72: 11/22/2026', order: 'month first', separator: '/', padded: true },
  { name: 'Chromium 79: midnight is 24', order: 'year first', separator: '-', padded: true, midnight: '24' },
  {
    name: 'day first, direction marks, no zeros',
    order: 'day first',
    separator: '\u200E.\u200E',
    padded: false,
  },
]

const orders: Record<Exclude<Spelling['order'], 'unchanged'>, readonly string[]> = {
  'year first': ['year', 'month', 'day'],
  'month first': ['month', 'day', 'year'],
  'day first': ['day', 'month', 'year'],
}

/** `Intl` with a `DateTimeFormat` of another spelling; instants and zones are the engine's own. */
export function intlSpelled(spelling: Spelling): typeof Intl {
  const { DateTimeFormat } = Intl
  function Spelled(locale?: string, options?: Intl.DateTimeFormatOptions) {
    const format = new DateTimeFormat(locale, options)
    const formatToParts = (at?: Date | number) => spell(format.formatToParts(at), spelling)
    const text = (at?: Date | number): string =>
      formatToParts(at)
        .map(({ value }) => value)
        .join('')
    return { format: text, formatToParts, resolvedOptions: () => format.resolvedOptions() }
  }
  return Object.create(Intl, { DateTimeFormat: { value: Spelled } }) as typeof Intl
}

function spell(parts: Intl.DateTimeFormatPart[], spelling: Spelling): Intl.DateTimeFormatPart[] {
  if (spelling.order === 'unchanged') return parts
  const order = orders[spelling.order]
  const isDate = ({ type }: Intl.DateTimeFormatPart): boolean => order.includes(type)
  const rest = parts.filter((part) => part.type !== 'literal' && !isDate(part))
  const dated = order.flatMap((type) => parts.filter((part) => part.type === type))
  return [...dated, ...rest].flatMap((part, i) => {
    const respelled = { type: part.type, value: number(part, spelling) }
    return i === 0 ? [respelled] : [{ type: 'literal' as const, value: spelling.separator }, respelled]
  })
}

function number({ type, value }: Intl.DateTimeFormatPart, { padded, midnight }: Spelling): string {
  if (type === 'hour' && Number(value) === 0 && midnight !== undefined) return midnight
  return padded ? value : value.replace(/^0+(?=\d)/, '')
}
