<?php
// Connects the site by its settings page, as an administrator does, and prints the page before and after.
$_SERVER['HTTP_HOST'] = parse_url( getenv( 'SITE_URL' ), PHP_URL_HOST );
define( 'WP_ADMIN', true );
require_once getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user( get_user_by( 'login', 'admin' )->ID );
do_action( 'admin_menu', '' );
do_action( 'admin_init' );
$page = function (): string {
	ob_start();
	\Docket\settings_page();
	return ob_get_clean();
};
$before = $page();
update_option( 'docket_url', ' https://docket.example/ ' );
update_option( 'docket_token', 'dkt_example' );
update_option( 'docket_token', '' );
echo json_encode( [ 'before' => $before, 'after' => $page(), 'core' => \Docket\core(), 'token' => \Docket\setting( 'token' ) ] );
