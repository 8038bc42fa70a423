import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/**
 * The picture library, which starts with the first picture: loading it takes a tenth of a second of each start. It reads
 * JPEG, PNG and WebP alone: everything else that libvips reads (SVG, PDF, TIFF, …) is extra attack surface.
 */
export const loadSharp = (): Promise<typeof sharp> => (loading ??= load())

async function load(): Promise<typeof sharp> {
  const { default: library } = await import('sharp')
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  library.cache(false)
  library.concurrency(1)
  return library
}
