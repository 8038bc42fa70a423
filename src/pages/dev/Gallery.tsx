import { useState } from 'react'
import { Segments } from '../../ui/index.ts'
import { GalleryControls } from './GalleryControls.tsx'
import { GalleryFields } from './GalleryFields.tsx'
import { GalleryMarket } from './GalleryMarket.tsx'
import { GalleryStates } from './GalleryStates.tsx'
import { GalleryType } from './GalleryType.tsx'
import styles from './Gallery.module.css'

const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
const conventions = [
  { value: 'green', label: 'Green up' },
  { value: 'red', label: 'Red up' },
  { value: 'red-blue', label: 'Red, blue' },
] as const

/** Every component in every state. Development builds only; its texts are not in the packs. */
export function Gallery() {
  const [theme, setTheme] = useState<'light' | 'dark'>(
    document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
  )
  const [convention, setConvention] = useState<'green' | 'red' | 'red-blue'>('green')
  return (
    <main className={styles.page} data-ground="money" data-theme={theme} data-conv={convention}>
      <div className={styles.controls}>
        <Segments
          label="Theme"
          items={themes}
          value={theme}
          onChange={(next) => {
            setTheme(next)
            document.documentElement.dataset['theme'] = next
          }}
        />
        <Segments
          label="Convention"
          items={conventions}
          value={convention}
          onChange={(next) => {
            setConvention(next)
            document.documentElement.dataset['conv'] = next
          }}
        />
      </div>
      <div className={styles.columns}>
        <GalleryControls />
        <GalleryFields />
        <GalleryMarket />
        <GalleryStates />
        <GalleryType />
      </div>
    </main>
  )
}
