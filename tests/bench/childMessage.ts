import type { ChildProcess } from 'node:child_process'

/** The next message of a kind from a child. @throws if the child ends before */
export function childMessage<M extends { kind: string }, K extends M['kind']>(
  child: ChildProcess,
  kind: K,
): Promise<Extract<M, { kind: K }>> {
  return new Promise((done, fail) => {
    const onExit = (code: number | null): void =>
      fail(new Error(`${child.spawnargs.join(' ')} ended with ${code}`))
    const onMessage = (message: M): void => {
      if (message.kind !== kind) return
      child.off('message', onMessage).off('exit', onExit)
      done(message as Extract<M, { kind: K }>)
    }
    child.on('message', onMessage).once('exit', onExit)
  })
}
