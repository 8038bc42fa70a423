import { useCallback, useState } from 'react'
import { workOf, type WorkAnswer } from '../../../contract/work.ts'
import type { Result } from '../../api/result.ts'
import { solveInWorker } from './solveInWorker.ts'

/**
 * A changed network, or another attempt from the same address, can require work again. More rounds than this have
 * another cause.
 */
const roundsMax = 3

/** A request that may need work: `send` is called with the answer to what the venue asked for. */
export type SendWithWork = <T>(
  send: (answer?: { work: WorkAnswer }) => Promise<Result<T>>,
) => Promise<Result<T>>

/**
 * Does the work that the venue asks for before a login or a registration, and sends the request again. `isWorking` is for the
 * words that say so.
 */
export function useWork(): [send: SendWithWork, isWorking: boolean] {
  const [isWorking, setWorking] = useState(false)
  const send = useCallback<SendWithWork>(async (request) => {
    let result = await request()
    for (let round = 0; round < roundsMax; round++) {
      const asked =
        !result.ok && result.failure.kind === 'rejected' ? workOf(result.failure.params) : undefined
      if (asked === undefined) return result
      setWorking(true)
      const work = await solveInWorker(asked).finally(() => setWorking(false))
      if (work === null) return result
      result = await request({ work })
    }
    return result
  }, [])
  return [send, isWorking]
}
