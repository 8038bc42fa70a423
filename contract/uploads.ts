import * as z from 'zod/mini'
import { route } from './route.ts'
import { id } from './schema.ts'

export const uploadPurposes = ['id_front', 'id_back', 'deposit_proof', 'service'] as const
export type UploadPurpose = (typeof uploadPurposes)[number]
export const uploadMaxBytes = 10 * 1024 * 1024

export const uploadRoutes = {
  upload: route({
    method: 'POST',
    path: '/uploads',
    summary: 'Send a picture (multipart: one file, `purpose`)',
    member: true,
    form: z.object({ file: z.file(), purpose: z.enum(uploadPurposes) }),
    status: 201,
    answer: z.object({ uploadId: id }),
  }),
  /** Returns the picture's bytes. */
  viewUpload: route({
    method: 'GET',
    path: '/uploads/:id',
    summary: "One of the member's own pictures, except photos of identity papers",
    member: true,
    params: z.object({ id }),
    media: 'image/*',
    status: 200,
    answer: null,
  }),
}
