import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { ApiError } from '../apiError.ts'

/** The only loaders that may run: everything else that libvips reads (SVG, PDF, TIFF, …) is code we do not need. */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
export type Picture = { type: PictureType; data: Buffer }

/** A phone's largest photo has some 50 million pixels; a header that claims more is refused before anything is decoded. */
const pixelsMax = 64_000_000
/** Nobody reads more off a document; larger pictures are scaled down. */
const edgeMax = 4096
const quality = 88
const secondsMax = 20

/**
 * Reads a picture by its content, whatever it is called, and writes it anew: upright, without metadata, without
 * anything that was hidden beside the pixels.
 * @throws Refusal 415 `FILE_TYPE` where it is no whole JPEG, PNG or WebP
 */
export async function reencodePicture(given: Uint8Array): Promise<Picture> {
  const found = await fileTypeFromBuffer(given).catch(() => undefined)
  const type = pictureTypes.find((one) => one === found?.mime)
  if (!type) throw new ApiError(415, 'FILE_TYPE')
  try {
    return { type, data: await reencode(given, type) }
  } catch {
    // Libvips says many things about a broken file; to the sender they are all one.
    throw new ApiError(415, 'FILE_TYPE')
  }
}

function reencode(given: Uint8Array, type: PictureType): Promise<Buffer> {
  const picture = sharp(given, { limitInputPixels: pixelsMax, failOn: 'error', pages: 1 })
    .timeout({ seconds: secondsMax })
    .autoOrient()
    .resize({ width: edgeMax, height: edgeMax, fit: 'inside', withoutEnlargement: true })
  if (type === 'image/jpeg') return picture.jpeg({ quality }).toBuffer()
  return type === 'image/png' ? picture.png().toBuffer() : picture.webp({ quality }).toBuffer()
}
