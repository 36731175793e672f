import type { LucideProps } from '@lucide/svelte'
import type { Component } from 'svelte'

/** An icon of `@lucide/svelte/icons`. */
export type IconComponent = Component<LucideProps>
