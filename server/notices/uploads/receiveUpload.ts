import type { FastifyRequest } from 'fastify'
import { uploadMaxBytes, type UploadPurpose } from '../../../contract/uploads.ts'
import { ApiError } from '../../platform/apiError.ts'

export type ReceivedUpload = { purpose: UploadPurpose; content: Buffer }

/** One file and its purpose, nothing else. */
const multipartLimits = {
  files: 1,
  fields: 1,
  parts: 2,
  fileSize: uploadMaxBytes,
  fieldNameSize: 64,
  fieldSize: 64,
  headerPairs: 32,
}
/** What a form adds to the size of the file. */
const formBytesMax = 16 * 1024

/**
 * Reads the one file and the `purpose`, one of these, of a multipart request, in any order.
 * @throws ApiError `FILE_TOO_LARGE`, `MEDIA_TYPE` if it is not a form, `VALIDATION` if it is a different form
 */
export async function receiveUpload(
  request: FastifyRequest,
  purposes: readonly UploadPurpose[],
): Promise<ReceivedUpload> {
  if (!request.isMultipart()) throw new ApiError('MEDIA_TYPE')
  if (Number(request.headers['content-length']) > uploadMaxBytes + formBytesMax) throw tooLarge()
  let purpose: UploadPurpose | undefined
  let content: Buffer | undefined
  try {
    for await (const part of request.parts({ limits: multipartLimits })) {
      if (part.type === 'file') content = await part.toBuffer()
      else if (part.fieldname === 'purpose') purpose = purposeOf(part.value, purposes)
      else throw invalid({ [part.fieldname]: 'UNKNOWN_FIELD' })
    }
  } catch (error) {
    throw toApiError(error)
  }
  if (content === undefined || purpose === undefined) {
    throw invalid({
      ...(content === undefined && { file: 'REQUIRED' }),
      ...(purpose === undefined && { purpose: 'REQUIRED' }),
    })
  }
  return { purpose, content }
}

function purposeOf(value: unknown, purposes: readonly UploadPurpose[]): UploadPurpose {
  return purposes.find((purpose) => purpose === value) ?? fail(invalid({ purpose: 'INVALID' }))
}

/** Maps an error of the multipart parser: too large, or else an invalid form. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge() : invalid({ file: 'INVALID' })
}

const tooLarge = (): ApiError => new ApiError('FILE_TOO_LARGE', { params: { maxBytes: uploadMaxBytes } })
const invalid = (fields: Record<string, string>): ApiError => new ApiError('VALIDATION', { fields })

function fail(apiError: ApiError): never {
  throw apiError
}
