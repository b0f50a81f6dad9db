<?php
// Makes the content of the site that the test runs, and prints its ids as JSON. It runs in the
// folder of WordPress.
$_SERVER['HTTP_HOST'] = parse_url( getenv( 'SITE_URL' ), PHP_URL_HOST );
$database             = new mysqli( 'localhost', 'root', '', '', 0, getenv( 'DB_SOCKET' ) );
$database->query( 'CREATE DATABASE wordpress CHARACTER SET utf8mb4' );
$database->close();

define( 'WP_INSTALLING', true );
require_once getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

add_filter( 'pre_wp_mail', '__return_true' ); // there is no mail server
$admin = wp_install( 'The Owl Blog', 'admin', 'admin@blog.test', true, '', 'demo-password' )['user_id'];
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'blogdescription', 'Birds of the night' );
update_option( 'show_avatars', 0 ); // they are elsewhere
switch_theme( 'twentytwentyone' );
$failed = activate_plugin( 'docket.php' );
if ( is_wp_error( $failed ) ) {
	fwrite( STDERR, $failed->get_error_message() );
	exit( 1 );
}

$uma   = wp_insert_user( [ 'user_login' => 'uma', 'user_pass' => 'demo-password', 'user_email' => 'uma@blog.test', 'display_name' => 'Uma', 'role' => 'subscriber' ] );
$birds = wp_insert_category( [ 'cat_name' => 'Birds & bats' ] );
$owls  = wp_insert_category( [ 'cat_name' => 'Owls', 'category_parent' => $birds ] );
foreach ( get_posts() as $post ) {
	wp_delete_post( $post->ID, true );
}
$post = wp_insert_post( [
	'post_title' => "Owls: a beginner's guide", 'post_name' => 'owls', 'post_status' => 'publish', 'post_author' => $admin, 'post_category' => [ $owls ],
	'post_content' => '<!-- wp:paragraph --><p>An owl turns its head by three quarters of a circle.</p><!-- /wp:paragraph -->', 'comment_status' => 'open',
] );
$comment = fn ( string $author, string $text, int $user = 0 ) => wp_insert_comment( [
	'comment_post_ID' => $post, 'comment_author' => $author, 'comment_author_email' => strtolower( $author ) . '@mail.test', 'user_id' => $user,
	'comment_content' => $text, 'comment_approved' => 1, 'comment_date' => '2026-03-01 10:00:00', 'comment_date_gmt' => '2026-03-01 10:00:00',
] );
echo json_encode( [
	'post' => $post, 'category' => (string) $owls, 'uma' => (string) $uma,
	'kind' => (string) $comment( 'Uma', 'I heard one last night, <em>right above</em> our roof.', $uma ),
	'spam' => (string) $comment( 'Vic', 'Buy <strong>my</strong> watches instead, half price today!' ),
	'rude' => (string) $comment( 'Rex', 'Only a fool would watch birds at night.' ),
] );
