/** With this edge length in px the small print of a document stays legible. */
export const photoEdgeMax = 2560
const jpegQuality = 0.86
/** More than a phone's largest photo; decoding a larger file could crash the tab. */
const fileMaxBytes = 64 * 1024 * 1024

export type ScaledPhoto = { ok: true; picture: Blob } | { ok: false; code: 'FILE_TYPE' | 'FILE_TOO_LARGE' }

/** The size of a picture scaled to fit a square of `edge`, with its aspect ratio; never enlarged, at least 1 px. */
export function fitWithin(
  width: number,
  height: number,
  edge = photoEdgeMax,
): { width: number; height: number } {
  const scale = Math.min(1, edge / Math.max(width, height, 1))
  const fit = (side: number): number => Math.max(1, Math.round(side * scale))
  return { width: fit(width), height: fit(height) }
}

/**
 * Redraws a photo upright and scaled down. The new file has only pixels, so location, time and camera are not
 * uploaded. A file that the browser cannot decode is not a photo.
 */
export async function scalePhoto(file: Blob, maxBytes: number): Promise<ScaledPhoto> {
  if (file.size > fileMaxBytes) return { ok: false, code: 'FILE_TOO_LARGE' }
  const url = URL.createObjectURL(file)
  try {
    // An image element applies the photo's orientation in every browser.
    const photo = new Image()
    photo.src = url
    await photo.decode()
    const picture = await redraw(photo)
    if (picture === null) return { ok: false, code: 'FILE_TYPE' }
    return picture.size > maxBytes ? { ok: false, code: 'FILE_TOO_LARGE' } : { ok: true, picture }
  } catch {
    return { ok: false, code: 'FILE_TYPE' }
  } finally {
    URL.revokeObjectURL(url)
  }
}

function redraw(photo: HTMLImageElement): Promise<Blob | null> {
  const { width, height } = fitWithin(photo.naturalWidth, photo.naturalHeight)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(null)
  // JPEG has no transparency: use a white background.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(photo, 0, 0, width, height)
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', jpegQuality)
  })
}
