import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import { Refusal } from '../http/refusal.ts'
import { slots } from '../members/slots.ts'
import type { Clock } from '../ports.ts'
import { receive } from './receive.ts'
import type { Uploads } from './uploads.ts'

/** A whole file stands in memory while it is read: so many at once at most, of all and of one member. */
const receivedAtOnceMax = 24
const ownAtOnceMax = 3
/** Whoever sends more slowly than this is cut off. */
const receiveMaxMs = 120_000
/** Decoding takes a core each: more at once would starve the venue. */
const readAtOnce = 2

/** Pictures in and, where they may come back, out. Forms are read here alone: no other call takes them. */
export function mountUploads(app: FastifyInstance, parts: { uploads: Uploads; clock: Clock }): void {
  const { uploads, clock } = parts
  const receiving: string[] = []
  const inTurn = slots(readAtOnce, receivedAtOnceMax)

  app.register(async (scope) => {
    await scope.register(multipart)

    mount(scope, walletRoutes.upload, async ({ member: { memberId }, request }) => {
      const own = receiving.filter((one) => one === memberId).length
      if (own >= ownAtOnceMax || receiving.length >= receivedAtOnceMax) throw new Refusal(503, 'UNAVAILABLE')
      receiving.push(memberId)
      const cancel = clock.at(clock.now() + receiveMaxMs, () => void request.raw.destroy())
      try {
        const { purpose, content } = await receive(request)
        cancel()
        return await inTurn(() => uploads.add(memberId, purpose, content))
      } finally {
        cancel()
        receiving.splice(receiving.indexOf(memberId), 1)
      }
    })

    mount(scope, walletRoutes.viewUpload, async ({ member: { memberId }, params, reply }) => {
      const { type, data } = await uploads.view(memberId, params.id)
      // A picture and nothing else, even where somebody opens its address by itself.
      await reply
        .type(type)
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .header('Content-Disposition', 'inline')
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .header('X-Content-Type-Options', 'nosniff')
        .send(data)
      return undefined
    })
  })
}
