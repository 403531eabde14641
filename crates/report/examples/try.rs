use lmrlab_report::chart::{*,axis::*};
use lmrlab_report::png::Painter;
fn main(){
 let wave: Vec<(f64, f64)> = (0..5_000).map(|i| (f64::from(i) / 5.0, 40.0 * (f64::from(i) / 300.0).sin())).collect();
 let c=Chart{ id:"elo".into(), title:"Elo of my-idea against mediocre-2007 over the pairs played".into(), description:"d".into(),
 x:Axis::from_zero("pairs",[1000.0]), y:Axis::linear("Elo",[-60.0,60.0]).written(Writing::Signed), height:260.0, legend:vec![(0,"my-idea".into()),(1,"mediocre-2007".into())], note:"Bands and bars: 95% intervals.".into(),
 layers: vec![Layer::Band { series: 0, points: wave.iter().map(|(x, y)| (*x, *y - 9.0, *y + 9.0)).collect() },
            Layer::Line { series: 0, points: wave.clone() },Layer::Line { series: 1, points: wave.iter().map(|(x,y)|(*x,-y/2.0)).collect() },
            Layer::Points { series: 1, points: vec![Point{at:(500.0,10.0),along:Some((0.0,20.0)),hover:"x".into(),label:Some("madchess-2.0".into()),..Default::default()}]}, Layer::Level(0.0,"even".into())]};
 let names=vec!["house".to_string(),"mediocre-2007".into(),"a-very-long-name-of-a-policy@divisor=2.25,base=0.33,foo=1".into()];
 let iv=Chart{id:"standings".into(), title:"Ratings of three policies".into(), description:"".into(), x:Axis::linear("Elo (mean 0)",[-80.0,80.0]).written(Writing::Signed), y:Axis::names("",names).reversed(), height:130.0, legend:vec![], note:"Bars: 95% intervals.".into(),
 layers:vec![Layer::Upright(0.0,"mean".into()),Layer::Points{series:0,points:(0..3).map(|i|Point{at:(i as f64*30.0-40.0,i as f64),across:Some((i as f64*30.0-60.0,i as f64*30.0-20.0)),hover:"h".into(),..Default::default()}).collect()}]};
 let cells=(0..5).flat_map(|r|(0..8).map(move |c|Cell{column:c,row:r,level:(r*c) as f64/28.0-0.2,text:format!("{}%",r*c*3),hover:"n 12".into()})).collect();
 let hm=Chart{id:"map".into(),title:"How often moves are reduced".into(),description:"".into(),x:Axis::names("move number",(1..9).map(|i|i.to_string()).collect()),y:Axis::names("depth (plies)",(1..6).map(|i|i.to_string()).collect()),height:220.0,legend:vec![],note:"".into(),layers:vec![Layer::Cells(cells)]};
 let bars=Chart{id:"ptnml".into(),title:"Pairs by their points".into(),description:"".into(),x:Axis::names("points of my-idea in a pair",["0","½","1","1½","2"].map(String::from).to_vec()),y:Axis::from_zero("pairs",[77.0]),height:200.0,legend:vec![],note:"".into(),layers:vec![Layer::Bars{series:0,bars:[17,31,77,40,35].iter().enumerate().map(|(i,n)|Bar{x:(i as f64-0.4,i as f64+0.4),y:(0.0,*n as f64),hover:"h".into(),text:n.to_string()}).collect()}]};
 let p=Painter::new().unwrap();
 for c in [c,iv,hm,bars]{ let pic=c.draw(); std::fs::write(format!("/tmp/pics/{}.png",pic.id),p.png(&pic).unwrap()).unwrap(); std::fs::write(format!("/tmp/pics/{}.svg",pic.id),pic.file(false)).unwrap();}
}
