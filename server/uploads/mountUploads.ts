import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { walletRoutes } from '../../contract/wallet.ts'
import { mount } from '../http/mount.ts'
import { createSemaphore } from '../members/semaphore.ts'
import type { Clock } from '../ports.ts'
import { receiveUpload } from './receiveUpload.ts'
import { createUploadSlots } from './uploadSlots.ts'
import type { AssertUploadCapacity } from './uploadCapacity.ts'
import type { Uploads } from './uploads.ts'

/** Decoding takes a core each: more at once would starve the venue. */
const readAtOnce = 2
const waitToBeReadMax = 24

type MountParts = { uploads: Uploads; clock: Clock; assertCapacity: AssertUploadCapacity }

/** Pictures in and, where they may come back, out. Forms are read here alone: no other call takes them. */
export function mountUploads(app: FastifyInstance, parts: MountParts): void {
  const { uploads, clock, assertCapacity } = parts
  const uploadSlots = createUploadSlots(clock)
  const withPermit = createSemaphore(readAtOnce, waitToBeReadMax)

  app.register(async (scope) => {
    await scope.register(multipart)

    mount(scope, walletRoutes.upload, async ({ member: { memberId }, request }) => {
      const { raw } = request
      const { socket } = raw
      const bytesBefore = socket.bytesRead
      const slot = uploadSlots.acquire({
        memberId,
        bytes: () => socket.bytesRead - bytesBefore,
        terminate: () => void raw.destroy(),
      })
      try {
        await assertCapacity(memberId)
        const { purpose, content } = await receiveUpload(request)
        slot.received()
        return await withPermit(() => uploads.add(memberId, purpose, content))
      } finally {
        slot.release()
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
