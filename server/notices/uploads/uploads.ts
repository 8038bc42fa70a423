import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import { and, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uploadPurposes, uploadRoutes, type UploadPurpose } from '../../../contract/uploads.ts'
import { retention } from '../../../contract/retention.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { ActLog } from '../actLog/actLog.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { upload, type UploadRow } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { deriveKey } from '../../platform/keyDerivation.ts'
import { createSemaphore } from '../../platform/semaphore.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createUploadFiles } from './files.ts'
import { reencodePicture, type Picture } from './picture.ts'
import { receiveUpload } from './receiveUpload.ts'
import { removeOrphans, removePicture, removeUnused } from './removal.ts'
import { createCapacityCheck, type UploadSender } from './uploadCapacity.ts'
import { createUploadSlots } from './uploadSlots.ts'
import type { NoticesSettings } from '../settings.ts'

/** An upload that is not used within this time is removed. */
const unusedTtlMs = retention.unusedPictures.ms
/** The member who sent a picture may view these; photos of identity documents are only for the office. */
const viewableByMember: readonly UploadPurpose[] = ['service', 'deposit_proof']
const removeUnusedEveryMs = 10 * minuteMs
/** Decoding a picture takes a core: more at once would block the venue. */
const decodesAtOnce = 2
const decodesWaitingMax = 24

/** The one use of an upload, by who sent it; it is recorded in the transaction of the use. */
export type UploadUse = UploadSender & {
  id: string
  purpose: UploadPurpose
  by: { kind: string; id: string }
}

/** Pictures of members, and of the staff for members: encoded again, encrypted, and either used once or removed. */
export type Uploads = {
  /** Throws `FILE_TYPE`. */
  add(sender: UploadSender, purpose: UploadPurpose, content: Uint8Array): Promise<{ uploadId: string }>
  /**
   * Reads the form of a request, of one of these purposes, and adds its picture. Throws what `add` and `receiveUpload` do,
   * `STORAGE_FULL`, `UPLOAD_QUOTA`, `UNAVAILABLE`.
   */
  receive(
    request: FastifyRequest,
    sender: UploadSender,
    purposes: readonly UploadPurpose[],
  ): Promise<{ uploadId: string }>
  /** Marks an upload as used. Returns false if the sender has no such unused upload. */
  use(tx: DbTransaction, use: UploadUse): Promise<boolean>
  /**
   * A member's own picture, or one that the staff sent them. Throws `NOT_FOUND` for photos of identity documents and for
   * uploads of other members.
   */
  view(memberId: string, id: string): Promise<Picture>
  /** A picture, for customer service; each view writes a row of the act log. Throws `FORBIDDEN` for other purposes than these. */
  viewForOffice(id: string, actor: string, purposes?: readonly UploadPurpose[]): Promise<Picture>
  /** Removes the picture of a used upload; its row stays. Returns whether it still existed. */
  remove(id: string, fence: Fence): Promise<boolean>
  /** Removes uploads that were not used in time and returns how many. */
  removeUnused(fence: Fence): Promise<number>
  /** Removes files that a stop between two steps left. */
  removeOrphans(): Promise<void>
}

export type UploadsParts = {
  db: Db
  /** Used by the job. */
  fence: Fence
  clock: Clock
  random: Random
  actLog: ActLog
  secrets: Pick<Secrets, 'uploadKey'>
  settings: Pick<NoticesSettings, 'dataDir' | 'uploadsFreeMinBytes'>
}

export function createUploads(parts: UploadsParts): Uploads & Module {
  const { db, clock, random, actLog } = parts
  const contentHashOf = createContentHash(parts.secrets.uploadKey)
  const files = createUploadFiles(join(parts.settings.dataDir, 'uploads'), parts.secrets.uploadKey, random)
  const read = async (row: UploadRow | undefined): Promise<Picture> => {
    if (!row) throw new ApiError('NOT_FOUND')
    return { type: row.type, data: await files.read(row.id) }
  }
  const uploads: Uploads = {
    add: async ({ memberId, sentBy }, purpose, content) => {
      const { type, data } = await reencodePicture(content)
      const id = random.uuid()
      await files.write(id, data)
      const row = { id, memberId, sentBy, purpose, type, bytes: data.length, createdAt: clock.now() }
      await db.insert(upload).values({ ...row, contentHash: contentHashOf(purpose, data) })
      return { uploadId: id }
    },
    receive: createReceive(parts, (...added) => uploads.add(...added)),
    use: (tx, use) => markUsed(tx, use, clock.now()),
    view: async (memberId, id) => {
      const own = and(
        eq(upload.id, id),
        eq(upload.memberId, memberId),
        inArray(upload.purpose, [...viewableByMember]),
        or(isNull(upload.sentBy), isNotNull(upload.usedAt)),
      )
      const [row] = await db.select().from(upload).where(own)
      return read(row)
    },
    viewForOffice: async (id, actor, purposes) => {
      const [row] = await db
        .select()
        .from(upload)
        .where(and(eq(upload.id, id), isNull(upload.removedAt)))
      if (!row) throw new ApiError('NOT_FOUND')
      const { memberId, purpose } = row
      if (purposes?.includes(purpose) === false) throw new ApiError('FORBIDDEN')
      // Written first: no view without a row of the act log, even if reading the file then fails.
      await actLog.look({ actor, subject: { kind: 'upload', id }, memberId, details: { purpose } })
      return read(row)
    },
    remove: (id, fence) => removePicture({ db, clock, files }, id, fence),
    removeUnused: (fence) => removeUnused({ db, clock, files }, unusedTtlMs, fence),
    removeOrphans: () => removeOrphans({ db, clock, files }),
  }
  return {
    ...uploads,
    mount: (app) => mountRoutes(app, uploads),
    start: () => uploads.removeOrphans(),
    jobs: [
      {
        name: 'remove unused uploads',
        everyMs: removeUnusedEveryMs,
        run: () => uploads.removeUnused(parts.fence),
      },
    ],
  }
}

/** For a proof of payment, so that the same one is recognised; null for other pictures. Metadata is not in the data. */
function createContentHash(secret: Uint8Array) {
  const key = deriveKey(secret, 'picture content')
  return (purpose: UploadPurpose, data: Buffer): string | null =>
    purpose === 'deposit_proof' ? createHmac('sha256', key).update(data).digest('base64url') : null
}

async function markUsed(
  tx: DbTransaction,
  { id, memberId, sentBy, purpose, by }: UploadUse,
  now: number,
): Promise<boolean> {
  const used = await tx
    .update(upload)
    .set({ usedAt: now, usedByKind: by.kind, usedById: by.id })
    .where(
      and(
        eq(upload.id, id),
        eq(upload.memberId, memberId),
        sentBy === null ? isNull(upload.sentBy) : eq(upload.sentBy, sentBy),
        eq(upload.purpose, purpose),
        isNull(upload.usedAt),
        gt(upload.createdAt, now - unusedTtlMs),
      ),
    )
    .returning({ id: upload.id })
  return used.length > 0
}

/** Receives pictures: how many at once, how fast and how many bytes of one sender is limited. */
function createReceive({ db, clock, settings }: UploadsParts, add: Uploads['add']): Uploads['receive'] {
  const uploadSlots = createUploadSlots(clock)
  const withPermit = createSemaphore(decodesAtOnce, { queueMax: decodesWaitingMax })
  const assertCapacity = createCapacityCheck({
    db,
    clock,
    dataDir: settings.dataDir,
    freeMinBytes: settings.uploadsFreeMinBytes,
  })
  return async (request, sender, purposes) => {
    const { raw } = request
    const { socket } = raw
    const bytesBefore = socket.bytesRead
    const slot = uploadSlots.acquire({
      sender: sender.sentBy === null ? sender.memberId : `staff ${sender.sentBy}`,
      bytes: () => socket.bytesRead - bytesBefore,
      terminate: () => void raw.destroy(),
    })
    try {
      await assertCapacity(sender, (line) => request.log.warn(line))
      const { purpose, content } = await receiveUpload(request, purposes)
      slot.received()
      return await withPermit(() => add(sender, purpose, content))
    } finally {
      slot.release()
    }
  }
}

/** Uploads and, if the member may see them again, downloads of pictures. Only these routes accept multipart forms. */
function mountRoutes(app: FastifyInstance, uploads: Uploads): void {
  app.register(async (scope) => {
    await scope.register(multipart)

    mount(scope, uploadRoutes.upload, ({ member: { memberId }, request }) =>
      uploads.receive(request, { memberId, sentBy: null }, uploadPurposes),
    )

    mount(scope, uploadRoutes.viewUpload, async ({ member: { memberId }, params, reply }) => {
      const { type, data } = await uploads.view(memberId, params.id)
      // The browser must treat it as a picture only, even if its URL is opened directly.
      await reply
        .type(type)
        .header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
        .header('Content-Disposition', 'inline')
        .header('Cross-Origin-Resource-Policy', 'same-origin')
        .header('X-Content-Type-Options', 'nosniff')
        .send(data)
      return undefined
    })
  })
}
