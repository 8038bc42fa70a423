import { Subject, type Observable } from 'rxjs'
import { venueRoutes } from '../../contract/venueConfig.ts'
import { loadPolling, type FindPolling } from '../../streams/index.ts'
import type { Client } from './client.ts'
import { createLazy } from '../start/lazy.ts'

const transport = createLazy(loadPolling, { name: 'longPolling' })

/** Whether the venue answered a call while no WebSocket opened, and whether it allows long polling. */
export type AnswerWithoutSocket = { isAnswered: boolean; longPolling: boolean }

/** The question of the wire whether the venue answers and allows long polling, and each answer for other parts of the app. */
export function createFindPolling(call: Client): {
  findPolling: FindPolling
  answer$: Observable<AnswerWithoutSocket>
} {
  const answers = new Subject<AnswerWithoutSocket>()
  const findPolling: FindPolling = async () => {
    const config = await call(venueRoutes.config, {})
    const longPolling = config.ok && config.value.longPolling === true
    answers.next({ isAnswered: config.ok, longPolling })
    if (!longPolling) return undefined
    const loaded = await transport.get()
    return loaded.ok ? loaded.value : undefined
  }
  return { findPolling, answer$: answers.asObservable() }
}
