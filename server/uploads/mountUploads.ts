import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { uploadRoutes } from '../../contract/uploads.ts'
import { mount } from '../http/mount.ts'
import { createSemaphore } from '../members/semaphore.ts'
import type { Clock } from '../ports.ts'
import { receiveUpload } from './receiveUpload.ts'
import { createUploadSlots } from './uploadSlots.ts'
import type { AssertUploadCapacity } from './uploadCapacity.ts'
import type { Uploads } from './uploads.ts'

/** Decoding a picture takes a core: more at once would starve the venue. */
const decodesAtOnce = 2
const decodesWaitingMax = 24

type MountParts = { uploads: Uploads; clock: Clock; assertCapacity: AssertUploadCapacity }

/** Uploads and, if the member may see them again, downloads of pictures. Only these routes accept multipart forms. */
export function mountUploads(app: FastifyInstance, parts: MountParts): void {
  const { uploads, clock, assertCapacity } = parts
  const uploadSlots = createUploadSlots(clock)
  const withPermit = createSemaphore(decodesAtOnce, decodesWaitingMax)

  app.register(async (scope) => {
    await scope.register(multipart)

    mount(scope, uploadRoutes.upload, async ({ member: { memberId }, request }) => {
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

    mount(scope, uploadRoutes.viewUpload, async ({ member: { memberId }, params, reply }) => {
      const { type, data } = await uploads.view(memberId, params.id)
      // The browser must treat it as a picture only, even if its URL is opened directly.
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
