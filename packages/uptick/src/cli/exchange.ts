import { exchangeUsage, openExchangeOf } from '../../../../tests/support/exchange/command.ts'
import { UsageError, exitCodes, messageOf, type Command } from './command.ts'
import { ended } from './untilEnd.ts'

export const exchange: Command = {
  name: 'exchange',
  usage: exchangeUsage.replace(/;.*/, ''),
  help: `Trades from a seed or from recorded messages, in the protocol of a real exchange. A fault is KIND@10s, such as
half-open@30s or cut@10s:all. A venue connects to it with the setting that is printed. Runs until Ctrl-C.`,
  run: async (args, context) => {
    const { print } = context
    const { exchange: opened, announcement } = await openExchangeOf(args).catch((error: unknown) => {
      throw new UsageError(messageOf(error))
    })
    // Before it says that it runs: then it may be ended.
    const { signal } = context
    print(announcement)
    await ended(signal)
    print(`${opened.core.trades.length} trades made, ${opened.core.sent.length} sent`)
    await opened.close()
    return exitCodes.done
  },
}
