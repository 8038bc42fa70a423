import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import { slots } from '../members/slots.ts'
import type { Clock } from '../ports.ts'
import { receive } from './receive.ts'
import { createReceivers } from './receivers.ts'
import type { RefuseWithoutRoom } from './room.ts'
import type { Uploads } from './uploads.ts'

/** Decoding takes a core each: more at once would starve the venue. */
const readAtOnce = 2
const waitToBeReadMax = 24

type MountParts = { uploads: Uploads; clock: Clock; refuseWithoutRoom: RefuseWithoutRoom }

/** Pictures in and, where they may come back, out. Forms are read here alone: no other call takes them. */
export function mountUploads(app: FastifyInstance, parts: MountParts): void {
  const { uploads, clock, refuseWithoutRoom } = parts
  const receivers = createReceivers(clock)
  const inTurn = slots(readAtOnce, waitToBeReadMax)

  app.register(async (scope) => {
    await scope.register(multipart)

    mount(scope, walletRoutes.upload, async ({ member: { memberId }, request }) => {
      const { raw } = request
      const { socket } = raw
      const before = socket.bytesRead
      const place = receivers.enter({
        memberId,
        bytes: () => socket.bytesRead - before,
        cut: () => void raw.destroy(),
      })
      try {
        await refuseWithoutRoom(memberId)
        const { purpose, content } = await receive(request)
        place.received()
        return await inTurn(() => uploads.add(memberId, purpose, content))
      } finally {
        place.leave()
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
