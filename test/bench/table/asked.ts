import { mount } from 'svelte'
import Asked from './Asked.svelte'
import type { Shown } from './shown.ts'

// Beside the page, where the bench has put it.
const { shown } = (await import(/* @vite-ignore */ new URL('./shown.js', location.href).href)) as { shown: Shown }
const target = document.getElementById('table')
if (target) mount(Asked, { target, props: { height: shown.height, row: shown.row } })
