import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { ApiError } from '../apiError.ts'

/** Allows only the loaders we need: everything else that libvips reads (SVG, PDF, TIFF, …) is extra attack surface. */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export type Picture = { type: PictureType; data: Buffer }

/** The largest phone photos have about 50 million pixels. A header that claims more fails before anything is decoded. */
const pixelsMax = 64_000_000
/** Enough to read a document; larger pictures are scaled down. */
const edgeMax = 4096
const quality = 88
const secondsMax = 20

/**
 * Detects a picture by its content, not its name, and encodes it again: upright, without metadata or other data hidden
 * in the file.
 * @throws ApiError 415 `FILE_TYPE` if it is not a complete JPEG, PNG or WebP
 */
export async function reencodePicture(content: Uint8Array): Promise<Picture> {
  const detected = await fileTypeFromBuffer(content).catch(() => undefined)
  const type = pictureTypes.find((pictureType) => pictureType === detected?.mime)
  if (!type) throw new ApiError(415, 'FILE_TYPE')
  try {
    return { type, data: await reencode(content, type) }
  } catch {
    // Libvips has many errors for a broken file; the sender gets one.
    throw new ApiError(415, 'FILE_TYPE')
  }
}

function reencode(content: Uint8Array, type: PictureType): Promise<Buffer> {
  const picture = sharp(content, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
  if (type === 'image/jpeg') return picture.jpeg({ quality }).toBuffer()
  return type === 'image/png' ? picture.png().toBuffer() : picture.webp({ quality }).toBuffer()
}
