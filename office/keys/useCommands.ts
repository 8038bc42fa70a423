import { useEffect, useRef } from 'react'
import { addCommands } from './commands.ts'
import type { Command } from './commands.ts'

/** Offers commands while the component is on screen; `run` is always that of the newest render. */
export function useCommands(commands: readonly (Command | false | null | undefined)[]): void {
  const offered = commands.filter((command): command is Command => Boolean(command))
  const newest = useRef(offered)
  useEffect(() => {
    newest.current = offered
  })
  const names = offered.map(({ label, keys }) => `${keys} ${label}`).join('\n')
  useEffect(() => {
    const added = newest.current.map((command, at) =>
      Object.assign({}, command, { run: () => newest.current[at]?.run() }),
    )
    return addCommands(added)
    // oxlint-disable-next-line react/exhaustive-deps -- the names stand for the commands, which each render makes anew
  }, [names])
}
