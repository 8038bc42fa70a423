import sharp from 'sharp'
import type { FastifyInstance } from 'fastify'
import { replyOf, type MemberClient, type Reply } from './apiCalls.ts'

/** A small picture. */
export const photo = (width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
    .jpeg()
    .toBuffer()

type Part = { name: string; value: string | Uint8Array; filename?: string; type?: string }

/** Encodes a multipart form; written here so that tests can send broken ones. */
export function multipartForm(parts: readonly Part[], boundary = 'xUPTICKx'): { body: Buffer; type: string } {
  const chunks = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

export type UploadRequest = {
  purpose?: string
  file?: Uint8Array
  filename?: string
  type?: string
  parts?: readonly Part[]
}

/** Uploads a file with its purpose, or the given parts. */
export async function uploadFile(
  app: FastifyInstance,
  client: MemberClient,
  request: UploadRequest,
): Promise<Reply> {
  const { purpose, file, filename = 'photo.jpg', type = 'image/jpeg' } = request
  const { body, type: contentType } = multipartForm(
    request.parts ?? [
      ...(purpose === undefined ? [] : [{ name: 'purpose', value: purpose }]),
      ...(file === undefined ? [] : [{ name: 'file', value: file, filename, type }]),
    ],
  )
  const headers = { cookie: `sid=${client.sid}`, 'x-csrf-token': client.token, 'content-type': contentType }
  const answer = await app.inject({ method: 'POST', url: '/api/uploads', headers, payload: body })
  return replyOf(answer)
}
