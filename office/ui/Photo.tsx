import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { officeRoutes } from '../../contract/office/routes.ts'
import { IconButton } from '../../src/ui/IconButton.tsx'
import { cx } from '../../src/ui/cx.ts'
import { Spinner } from '../../src/ui/Spinner.tsx'
import type { Failure } from '../../streams/index.ts'
import { fetchFile } from '../api.ts'
import { useOfficeFormat } from '../data/useOfficeFormat.ts'
import { venueNow } from '../data/venueClock.ts'
import { useTexts } from '../i18n.ts'
import { useSession } from '../state/staff.ts'
import { FailureLine } from './FailureLine.tsx'
import type { Seen } from './useSight.ts'
import { watchView } from './watchView.ts'
import { drawWatermarked } from './watermark.ts'
import styles from './Photo.module.css'

/** At first the whole picture is in the box; then it is as wide as the box, or wider. */
const zooms = ['whole', 1, 1.5, 2, 3, 4, 6] as const

type PhotoProps = {
  uploadId: string
  label: string
  /** Called once it is drawn, or cannot be, and again once it was in view. */
  onSeen?: (uploadId: string, seen: Seen) => void
}

/**
 * A member's picture, drawn with the viewer's name and the time in its pixels: there is no picture file to save, and a
 * screenshot says who made it. Each view is a row of the act log.
 */
export function Photo({ uploadId, label, onSeen }: PhotoProps) {
  const t = useTexts()
  const { canvas, failure, isShown } = usePicture(uploadId, onSeen)
  const view = useRef<HTMLDivElement>(null)
  useInView(view, isShown, () => onSeen?.(uploadId, 'shown'))
  const [zoomAt, setZoomAt] = useState(0)
  const [turns, setTurns] = useState(0)
  const drag = useDrag()
  const zoom = zooms[zoomAt] ?? 'whole'
  const isWhole = zoom === 'whole'
  const step = (by: number): void => setZoomAt((at) => Math.min(zooms.length - 1, Math.max(0, at + by)))
  return (
    <figure className={styles.photo}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <span className={styles.zoom}>{isWhole ? t('photo.whole') : `${Math.round(zoom * 100)}%`}</span>
        <IconButton icon="minus" size={16} label={t('photo.smaller')} onClick={() => step(-1)} />
        <IconButton icon="plus" size={16} label={t('photo.larger')} onClick={() => step(1)} />
        <IconButton
          icon="arrow-clockwise"
          size={16}
          label={t('photo.turn')}
          onClick={() => setTurns((turns + 1) % 4)}
        />
      </figcaption>
      <FailureLine failure={failure} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what scrolls can be dragged too */}
      <div
        ref={view}
        className={cx(styles.view, isWhole && styles.whole, turns % 2 === 1 && styles.turned)}
        role="group"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
        tabIndex={0}
        aria-label={t('photo.view', { label })}
        onKeyDown={({ key }) => {
          if (key === '+' || key === '=') step(1)
          if (key === '-') step(-1)
        }}
        onContextMenu={(event) => event.preventDefault()}
        {...drag}
      >
        {!isShown && failure === undefined && <Spinner />}
        <canvas
          ref={canvas}
          role="img"
          aria-label={label}
          className={styles.canvas}
          style={{
            transform: `rotate(${turns * 90}deg)`,
            ...(!isWhole && { width: `${zoom * 100}%` }),
          }}
        />
      </div>
    </figure>
  )
}

/** Fetches a picture and draws it into the canvas. */
function usePicture(uploadId: string, onSeen: PhotoProps['onSeen']) {
  const format = useOfficeFormat()
  const { staff } = useSession()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<{ failure?: Failure; isShown: boolean }>({ isShown: false })
  useEffect(() => {
    let isNewest = true
    const show = async (): Promise<void> => {
      const { show: route } = officeRoutes.uploads
      const file = await fetchFile({ route, params: { id: uploadId }, query: {}, type: 'image/' })
      if (!isNewest) return
      if (!file.ok) {
        setState({ failure: file.failure, isShown: false })
        return onSeen?.(uploadId, 'failed')
      }
      const bitmap = await createImageBitmap(file.value)
      if (isNewest && canvas.current !== null) {
        drawWatermarked(canvas.current, bitmap, `${staff.name}  ${format.dateTime(venueNow())}`)
        setState({ isShown: true })
        onSeen?.(uploadId, 'drawn')
      }
      bitmap.close()
    }
    void show()
    return () => {
      isNewest = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- fetched once: each fetch is a row of the act log
  }, [uploadId])
  return { canvas, ...state }
}

/** Calls once when what is drawn has been in view. */
function useInView(view: RefObject<HTMLElement | null>, isDrawn: boolean, onInView: () => void): void {
  useEffect(
    () => (isDrawn && view.current !== null ? watchView(view.current, onInView) : undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- once for each picture
    [isDrawn],
  )
}

/** Drags the content of a scrolling element. */
function useDrag() {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'mouse') return
      from.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current === null) return
      event.currentTarget.scrollBy(from.current.x - event.clientX, from.current.y - event.clientY)
      from.current = { x: event.clientX, y: event.clientY }
    },
    onPointerUp: () => {
      from.current = null
    },
  }
}
