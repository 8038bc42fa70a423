import { useEffect } from 'react'
import { addCommands, type Command } from './commands.ts'
import { useLatest } from '../../src/hooks/useLatest.ts'

/** Offers commands while the component is on screen; `run` is always that of the newest render. */
export function useCommands(commands: readonly (Command | false | null | undefined)[]): void {
  const offered = commands.filter((command): command is Command => Boolean(command))
  const newest = useLatest(offered)
  const names = offered.map(({ label, keys }) => `${keys} ${label}`).join('\n')
  useEffect(() => {
    const added = newest().map((command, at) =>
      Object.assign({}, command, { run: () => newest()[at]?.run() }),
    )
    return addCommands(added)
    // oxlint-disable-next-line react/exhaustive-deps -- the names stand for the commands, which each render makes anew
  }, [names, newest])
}
