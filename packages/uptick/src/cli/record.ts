import { parseArgs } from 'node:util'
import { UsageError, onlyFile, type Command } from './command.ts'
import { parseExchange, protocolNames } from './protocols.ts'
import { parseRotation } from './rowFiles.ts'
import { spanOf } from './untilEnd.ts'

export const record: Command = {
  name: 'record',
  usage: `URL [-o FOLDER] [--products A,B] [--history] [--rotate day,100MB] [--for 1h]
uptick record EXCHANGE:SYMBOL,… [-o FOLDER] [--raw] [--rotate day,100MB] [--for 1h] [--url ws://HOST:PORT]`,
  help: `A venue: writes its live ticks, one file ID.csv for each product, with ID.json beside it: heads of the venue's chain,
which "check" recomputes. Files that are there are continued, with what was missed. --history: a new file begins with the ticks
that the venue still has.
An exchange (${protocolNames.join(', ')}): writes its trades, one file SYMBOL.csv each, with the exchange's instants,
its ids and when each arrived. What was missed, also between two runs, is named. --raw: also every message, in
EXCHANGE.ndjson, which "convert" reads. oanda needs OANDA_TOKEN and OANDA_ACCOUNT in the environment.
--rotate: another file begins with each day of UTC, or before a file has more bytes, as in ID_2026-11-30.csv and
ID_2026-11-30_2.csv, and so do the files of --raw; the newest one is continued.
Runs until Ctrl-C, or for the time of --for, and says how far it is. Exit code 0: it ended as it was told to; what is missing
was named. 2: it cannot begin, the exchange refuses, or a file cannot be written; what was written stays.`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o', default: '.' },
        products: { type: 'string' },
        history: { type: 'boolean', default: false },
        for: { type: 'string' },
        rotate: { type: 'string' },
        raw: { type: 'boolean', default: false },
        url: { type: 'string' },
      },
    })
    const from = onlyFile(positionals, 'venue or exchange')
    if (values.output === '-') throw new UsageError('-o is a folder')
    const span = values.for === undefined ? null : spanOf(values.for)
    const rotation = values.rotate === undefined ? null : parseRotation(values.rotate)
    const exchange = parseExchange(from)
    if (exchange) {
      const { recordExchange } = await import('./recordExchange.ts')
      const { output: folder, raw, url } = values
      return recordExchange({ ...exchange, folder, raw, url, span, rotation }, context)
    }
    if (values.raw || values.url !== undefined) throw new UsageError('--raw and --url are for an exchange')
    const { recordVenue } = await import('./recordVenue.ts')
    const { history, output: folder } = values
    return recordVenue(
      { from, products: values.products?.split(','), folder, history, span, rotation },
      context,
    )
  },
}
