import type { Sharp } from 'sharp'
import { uploadMaxBytes } from '../../../contract/uploads.ts'
import { ApiError } from '../../platform/apiError.ts'
import { loadSharp } from '../../platform/sharp.ts'

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export type Picture = { type: PictureType; data: Buffer }

/** The largest phone photos have about 50 million pixels. A header that claims more fails before anything is decoded. */
const pixelsMax = 64_000_000
/** Enough to read a document; larger pictures are scaled down. */
const edgeMax = 4096
const quality = 88
/** For a picture that would be stored in more bytes than an upload may have. */
const reducedQuality = 60
const secondsMax = 20

/**
 * Detects a picture by its content, not its name, and encodes it again: upright, without metadata or other data hidden
 * in the file. The result is at most `uploadMaxBytes` long; a picture that needs more in its own format, because noise
 * grows when it is encoded again, becomes a JPEG of lower quality.
 * @throws ApiError `FILE_TYPE` if it is not a complete JPEG, PNG or WebP; `FILE_TOO_LARGE` if even the JPEG is
 *   too long
 */
export async function reencodePicture(content: Uint8Array): Promise<Picture> {
  // Only a picture needs it: a start is quicker without.
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(content).catch(() => undefined)
  const type = pictureTypes.find((pictureType) => pictureType === detected?.mime)
  if (!type) throw new ApiError('FILE_TYPE')
  const picture = await encode(content, type)
  if (picture.data.length <= uploadMaxBytes) return picture
  const reduced = await encode(content, 'image/jpeg', reducedQuality)
  if (reduced.data.length <= uploadMaxBytes) return reduced
  throw new ApiError('FILE_TOO_LARGE', { params: { maxBytes: uploadMaxBytes } })
}

async function encode(content: Uint8Array, type: PictureType, jpegQuality = quality): Promise<Picture> {
  try {
    const data = await encoders[type](await decode(content), jpegQuality).toBuffer()
    return { type, data }
  } catch {
    // Libvips has many errors for a broken file; the sender gets one.
    throw new ApiError('FILE_TYPE')
  }
}

async function decode(content: Uint8Array): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(content, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
}

const encoders: Record<PictureType, (picture: Sharp, jpegQuality: number) => Sharp> = {
  'image/jpeg': (picture, jpegQuality) =>
    picture.flatten({ background: 'white' }).jpeg({ quality: jpegQuality }),
  'image/png': (picture) => picture.png(),
  'image/webp': (picture) => picture.webp({ quality }),
}
