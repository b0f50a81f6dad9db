import {
  createTheme,
  type ActionIconProps, type AutocompleteProps, type ButtonProps, type CheckboxProps, type CSSVariablesResolver, type MantineColorsTuple, type MenuProps, type ModalProps,
  type PopoverProps, type SelectProps, type SwitchProps, type TextareaProps, type TextInputProps,
} from '@mantine/core';

const iris: MantineColorsTuple = [
  '#eef0fd', '#dce0fa', '#b8c0f4', '#919def', '#7180e9', '#5c6de6', '#4f60de', '#3d4fd1', '#3445ba', '#2939a1',
];

const slate: MantineColorsTuple = [
  '#f7f8fa', '#eff1f5', '#e3e6ec', '#d3d8e1', '#b3bac8', '#8d96a8', '#667085', '#4a5265', '#31384a', '#1c2130',
];

const night: MantineColorsTuple = [
  '#d7dbe5', '#b4bac8', '#98a0b3', '#6c7488', '#434a5c', '#323848', '#262b39', '#1b1f2b', '#151822', '#0f1219',
];

/**
 * A list of options that stays beside its field and scrolls by itself. In a portal
 * it would be outside every landmark, and in Mantine's scroll area the keyboard
 * could not reach it. `fixed` keeps a dialog from clipping it, as long as the dialog has no transform.
 */
export const optionList = {
  withScrollArea: false,
  comboboxProps: { withinPortal: false, floatingStrategy: 'fixed' },
  styles: { options: { maxHeight: 240, overflowY: 'auto' } },
} as const;

/** What Component.extend returns, without the component: the board would load those that only other screens show. */
const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 7 },
  colors: { iris, gray: slate, dark: night },
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", "Noto Color Emoji", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", "Noto Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '7px', lg: '10px', xl: '14px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: defaults<ButtonProps>({ size: 'sm' }),
    ActionIcon: defaults<ActionIconProps>({ variant: 'subtle', color: 'gray', size: 'lg' }),
    TextInput: defaults<TextInputProps>({ size: 'sm' }),
    Textarea: defaults<TextareaProps>({ size: 'sm', autosize: true, minRows: 3 }),
    Select: defaults<SelectProps>({ ...optionList, size: 'sm', checkIconPosition: 'right', allowDeselect: false }),
    Autocomplete: defaults<AutocompleteProps>({ ...optionList, size: 'sm' }),
    Checkbox: defaults<CheckboxProps>({ size: 'sm' }),
    Switch: defaults<SwitchProps>({ size: 'sm', withThumbIndicator: false }),
    Menu: defaults<MenuProps>({ shadow: 'md', position: 'bottom-end' }),
    Popover: defaults<PopoverProps>({ shadow: 'md' }),
    // A dialog's header is not the page's banner landmark.
    Modal: defaults<ModalProps>({ attributes: { header: { role: 'presentation' } }, centered: true, transitionProps: { transition: 'fade' }, overlayProps: { backgroundOpacity: 0.5 } }),
  },
});

// Mantine's dimmed and placeholder greys miss the 4.5:1 contrast of WCAG AA on
// these surfaces, so both are set from the panel's own tokens.
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566074',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#b42318',
    '--mantine-color-default-border': '#d3d8e1',
    '--mantine-color-text': '#1c2130',
    '--mantine-color-anchor': '#3445ba',
  },
  dark: {
    '--mantine-color-body': '#151822',
    '--mantine-color-dimmed': '#a1a9bb',
    '--mantine-color-placeholder': '#98a0b3',
    '--mantine-color-error': '#ff9c92',
    '--mantine-color-default-border': '#3a4154',
    '--mantine-color-default': '#1b1f2b',
    '--mantine-color-default-hover': '#262b39',
    '--mantine-color-text': '#e4e7ee',
    '--mantine-color-anchor': '#a5b0f7',
  },
});
