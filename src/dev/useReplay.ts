import { useEffect, useState } from 'react'
import type { ReplayChange, ReplayControl, ReplayState } from './replayControl.ts'

const pollMs = 500

export type Replay = {
  /** Undefined until the replay has answered. */
  state: ReplayState | undefined
  /** Why the last change did not happen, or that the replay is away; empty if all is well. */
  failure: string
  change: (change: ReplayChange) => void
  /** Shows why a change was not even tried. */
  fail: (why: string) => void
}

/**
 * A running replay and its controls.
 * @param away the text of a replay that does not answer
 */
export function useReplay(control: ReplayControl, away: string): Replay {
  const [state, setState] = useState<ReplayState>()
  const [isAway, setAway] = useState(false)
  const [failure, fail] = useState('')
  useEffect(() => {
    const poll = async (): Promise<void> => {
      const answer = await control.read().catch(() => undefined)
      setAway(answer === undefined)
      if (answer) setState(answer)
    }
    void poll()
    const timer = setInterval(() => void poll(), pollMs)
    return () => clearInterval(timer)
  }, [control])
  const change = async (wanted: ReplayChange): Promise<void> => {
    try {
      setState(await control.change(wanted))
      fail('')
    } catch (error) {
      fail(reasonOf(error) ?? away)
    }
  }
  return { state, failure: isAway ? away : failure, change: (wanted) => void change(wanted), fail }
}

/** What the replay says is wrong; undefined if it is away. */
function reasonOf(error: unknown): string | undefined {
  const data =
    error instanceof Error && 'data' in error ? (error.data as { error?: string } | undefined) : undefined
  return data?.error
}
