import styles from '../../features/photos/PhotoTile.module.css'

/** A sketch of a document's front or back, shown until there is a photo of it. */
export function IdGlyph({ side }: { side: 'front' | 'back' }) {
  return (
    <svg className={styles.card} viewBox="0 0 120 76" aria-hidden="true">
      <rect x="0.5" y="0.5" width="119" height="75" rx="5" />
      {side === 'front' ? (
        <>
          <rect className={styles.ink} x="10" y="12" width="44" height="5" rx="2.5" />
          <rect className={styles.pale} x="10" y="24" width="30" height="5" rx="2.5" />
          <rect className={styles.pale} x="10" y="36" width="52" height="5" rx="2.5" />
          <rect className={styles.pale} x="82" y="10" width="28" height="36" rx="2" />
          <rect className={styles.ink} x="10" y="58" width="74" height="6" rx="3" />
        </>
      ) : (
        <>
          <rect className={styles.ink} x="0.5" y="12" width="119" height="12" />
          <rect className={styles.pale} x="10" y="36" width="64" height="5" rx="2.5" />
          <rect className={styles.pale} x="10" y="48" width="46" height="5" rx="2.5" />
          <rect className={styles.ink} x="10" y="60" width="80" height="5" rx="2.5" />
        </>
      )}
    </svg>
  )
}
