import { UsageError } from './command.ts'
import type { ForeignOptions } from './foreignFile.ts'
import { protocolNames } from './protocols.ts'

/** The options of the commands that read files of others. */
export const formatOptions = {
  protocol: { type: 'string', default: 'binance' },
  symbol: { type: 'string' },
  columns: { type: 'string' },
  unit: { type: 'string' },
  zone: { type: 'string' },
} as const

type Values = Partial<Record<keyof typeof formatOptions, string>>

/** @throws UsageError if they do not fit together */
export function foreignOptionsOf({
  protocol = 'binance',
  symbol,
  columns,
  unit,
  zone,
}: Values): ForeignOptions {
  if (!protocolNames.includes(protocol))
    throw new UsageError(`--protocol is one of ${protocolNames.join(', ')}`)
  if (columns === undefined && (unit ?? zone) !== undefined)
    throw new UsageError('--unit and --zone are of --columns')
  const generic = columns === undefined ? undefined : { columns, unit: unit ?? 'ms', zone: zone ?? 'UTC' }
  return { protocol, symbol, generic }
}
