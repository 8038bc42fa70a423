import * as z from 'zod/mini'
import { countryCode } from './countries.ts'
import { route } from './route.ts'
import { instant, visibleLine } from './schema.ts'

export const verificationStatuses = ['none', 'under_review', 'verified', 'rejected'] as const
export const verification = z.object({
  status: z.enum(verificationStatuses),
  reason: z.nullable(z.string()),
  submittedAt: z.nullable(instant),
  decidedAt: z.nullable(instant),
  version: z.int(),
})
export type Verification = z.infer<typeof verification>

const photo = z
  .string({ error: 'PHOTO_REQUIRED' })
  .check(z.minLength(1, { error: 'PHOTO_REQUIRED' }), z.maxLength(64))

/** Name and number are validated by nationality (rules.ts) once the shape is valid. */
export const submitVerification = z.strictObject({
  name: visibleLine(60),
  idNumber: visibleLine(30),
  nationality: countryCode('REQUIRED'),
  frontUploadId: photo,
  backUploadId: photo,
})

export const verificationRoutes = {
  verification: route({
    method: 'GET',
    path: '/verification',
    summary: 'Real-name verification',
    member: true,
    status: 200,
    answer: verification,
  }),
  submitVerification: route({
    method: 'POST',
    path: '/verification',
    summary: 'Submit real-name verification',
    member: true,
    body: submitVerification,
    status: 201,
    answer: z.object({ status: z.literal('under_review'), submittedAt: instant }),
  }),
}
